import type { GatewayError } from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import { gatewayErrorOf } from "../http/errors.ts";
import { outcomeOf, type StreamResult, truncated } from "../http/transcoder.ts";
import { answeredRow, type Trace } from "../ledger/mod.ts";
import type { RequestLogRow } from "../store/mod.ts";
import { withoutUpstreamWords } from "../upstreams/mod.ts";
import type { Arrived } from "./arrivals.ts";
import type { Passage } from "./passage.ts";
import type { Gateway } from "./world.ts";

/** Makes an answer's row durable, and what is kept of it; of what goes wrong after its status is out, only the operator can hear. */
export async function settle(
  result: StreamResult,
  { call, gateway, trace, keeping }: Passage,
): Promise<void> {
  if (result.error) reportFailure(call, result.error, gateway);
  const kept = result.outcome === "completed"
    ? keeping?.keep(trace.candidate?.upstream.id)
    : undefined; // never rejects
  if (result.outcome === "client_gone" && trace.hold) await gateway.ledger.vacate(trace.hold);
  try {
    await record(answeredRow(call, trace, result), gateway, trace);
  } catch (cause) {
    reportFailure(call, gatewayErrorOf(cause), gateway);
    throw cause;
  }
  await kept;
  const error = result.outcome === "completed" ? undefined : result.error ?? truncated();
  gateway.arrived({ call, ...knownOf(trace), error });
}

/** Settles a call whose status is out, or that has no caller any more, and that never began to be answered. */
export function fail(error: GatewayError, passage: Passage): Promise<void> {
  return settle({ outcome: outcomeOf(error), error }, passage);
}

/** Charges what a row says, and tells of it once that is durable; nothing where nobody was authorised. */
export async function record(
  row: RequestLogRow | undefined,
  { ledger, observe }: Gateway,
  { hold }: Trace,
): Promise<void> {
  if (row) observe(await ledger.settle(row, hold));
}

/** What may be known of a call that failed. */
export type Known = Pick<Trace, "hold" | "caller" | "decoded">;

/** What a call's trace tells those who wait for the call. */
export function knownOf({ caller, decoded }: Known): Pick<Arrived, "caller" | "model"> {
  return { caller, model: decoded?.envelope.model };
}

/** Tells the operator what is not the caller's. */
export function reportFailure(call: Call, error: GatewayError, gateway: Gateway): void {
  if (error.status >= 500) gateway.report(withoutUpstreamWords(error), call.id);
}
