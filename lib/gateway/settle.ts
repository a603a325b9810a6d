import {
  type ErrorCode,
  GatewayError,
  totalInputTokens,
  totalOutputTokens,
} from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import type { Settled } from "../http/cost.ts";
import { gatewayErrorOf } from "../http/errors.ts";
import { outcomeOf, type StreamResult, truncated } from "../http/stream/transcoder.ts";
import { Pace } from "../pace.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import { storeRetryAfterSeconds } from "../store/mod.ts";
import { withoutUpstreamWords } from "../upstreams/mod.ts";
import type { CallContext } from "./call_context.ts";
import { answeredRow, type CallRecord } from "./call_record.ts";
import type { FinishedCall } from "./connection_checks.ts";
import type { GatewayDeps } from "./dependencies.ts";
import { countingSteps } from "./settled_usage.ts";

/**
 * Makes an answer's row durable, and its stored response. Failures after the status was sent are
 * reported to the operator only.
 */
export async function settle(
  result: StreamResult,
  { call, gateway, record, keeping }: CallContext,
): Promise<Settled> {
  if (result.error) reportFailure(call, result.error, gateway);
  const kept = result.outcome === "completed"
    ? keeping?.keep(record.candidate?.upstream.id)
    : undefined; // never rejects
  if (result.outcome === "client_gone" && record.hold) await gateway.ledger.vacate(record.hold);
  record.finishReasons = result.finishReasons;
  try {
    const counting = countingSteps(result, record.decoded);
    if (counting) await new Pace().through(counting);
    const row = answeredRow(call, record, result);
    const settled = row ? await settleRow(row, gateway, record) : {};
    if (kept) await kept;
    const error = result.outcome === "completed" ? undefined : result.error ?? truncated();
    gateway.notifyChecks(finishedOf(call, record, error));
    return settled;
  } catch (cause) {
    gateway.report(gatewayErrorOf(cause), call.id);
    throw cause;
  }
}

/**
 * Settles a call that fails before its answer, but after its status was sent or without a waiting
 * caller.
 */
export async function fail(error: GatewayError, context: CallContext): Promise<void> {
  await settle({ outcome: outcomeOf(error), error }, context);
}

/**
 * Charges a row, and reports it once it is durable. Resolves with the stored row. Rejects with
 * `store_unavailable` if the store takes too long: the row is then recorded once the store is back,
 * and says that the end of the answer was withheld.
 */
export function settleRow(
  row: RequestLogRow,
  gateway: GatewayDeps,
  record: CallRecord,
): Promise<RequestLogRow> {
  const stored = gateway.ledger.settle(row, record.hold);
  return gateway.storedInTime(stored, {
    seen: (settled) => observeSettled(settled, record, gateway),
    late: () => withhold(row, stored, record, gateway),
  });
}

function observeSettled(
  settled: RequestLogRow,
  { finishReasons }: CallRecord,
  { observe, report }: GatewayDeps,
): void {
  try {
    observe(settled, finishReasons);
  } catch (thrown) { // the call itself has succeeded
    report(gatewayErrorOf(thrown), settled.id);
  }
}

/** Records a row that is stored too late as one of a withheld answer. Returns the error. */
function withhold(
  row: RequestLogRow,
  stored: Promise<RequestLogRow>,
  { hold }: CallRecord,
  { ledger, report }: GatewayDeps,
): GatewayError {
  stored.catch(() => report(unrecorded(row), row.id));
  if (row.outcome === "completed") {
    settleRowLater({ ...row, outcome: "truncated", errorCode: unavailable }, { ledger }, { hold });
  }
  return withheld();
}

/** Like `settleRow`, for a call whose caller already gets `store_unavailable`. */
export function settleRowLater(
  row: RequestLogRow | undefined,
  { ledger }: Pick<GatewayDeps, "ledger">,
  { hold }: Pick<CallRecord, "hold">,
): void {
  if (row) ledger.settle(row, hold).catch(() => {}); // `settleRow` reports it
}

const unavailable = "store_unavailable" satisfies ErrorCode;

function withheld(): GatewayError {
  return new GatewayError(
    unavailable,
    "The gateway's store did not confirm this call in time, so the end of the response is withheld. " +
      "What was delivered is charged, and all of it may be: its row in the log tells. " +
      "Retry later; the cause is in the gateway's own log",
    { retryAfterSeconds: storeRetryAfterSeconds },
  );
}

/** The report of a call that could not be recorded before the gateway stopped. */
function unrecorded({ keyName, model, usage }: RequestLogRow): GatewayError {
  const [input, output] = usage ? [totalInputTokens(usage), totalOutputTokens(usage)] : [0, 0];
  return new GatewayError(
    unavailable,
    `The gateway stopped before its store recovered: this call is in neither log nor ledger (key ${keyName}, ` +
      `model ${model}, ${input} input tokens, ${output} output tokens)`,
  );
}

/** The known facts of a failed call. */
export type Known = Pick<CallRecord, "hold" | "caller" | "decoded">;

/** A call as connection checks see it, with the facts of its record. */
export function finishedOf(
  call: Call,
  { caller, decoded }: Known,
  error: GatewayError | undefined,
): FinishedCall {
  return { call, caller, model: decoded?.envelope.model, error };
}

/**
 * Reports failures that are not the caller's to the operator. An unavailable store is reported once
 * and not by each call.
 */
export function reportFailure(call: Call, error: GatewayError, gateway: GatewayDeps): void {
  if (error.status >= 500 && error.code !== unavailable) {
    gateway.report(withoutUpstreamWords(error), call.id);
  }
}
