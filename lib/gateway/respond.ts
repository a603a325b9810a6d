import { callerLeft } from "../canonical/mod.ts";
import { askedCost } from "../http/cost.ts";
import { answerResponse } from "../http/respond.ts";
import type { Answer } from "../http/stream/answer.ts";
import { type StreamResult, truncated } from "../http/stream/transcoder.ts";
import { statesOf } from "../ledger/mod.ts";
import type { AttemptHandle, StartedAnswer } from "../routing/mod.ts";
import type { CallContext } from "./call_context.ts";
import { flightRow } from "./call_record.ts";
import { settle } from "./settle.ts";

/** Sends an answer once it has started; its last bytes wait until its usage is durable. */
export async function respond(
  starting: Promise<StartedAnswer<Answer>>,
  context: CallContext,
): Promise<Response> {
  const { answer, handle } = await starting;
  const { call, gateway, record } = context;
  record.firstByteMs = Math.round(performance.now() - call.startedAt);
  if (record.hold && answer.type === "stream") {
    gateway.ledger.watch(record.hold, () => flightRow(call, record, answer.transcoder.result()));
  }
  const statedCost = record.decoded && askedCost(call, record.decoded.wire.body);
  try {
    return await answerResponse(call, answer, {
      notes: record.notes,
      limits: gateway.limits,
      limitStates: statesOf(record.hold),
      settle: (result) => {
        tellEnd(handle, result);
        return settle(result, context);
      },
      statedCost,
    });
  } catch (error) {
    handle.ended(callerLeft()); // no effect if the end was reported before
    throw error;
  }
}

/**
 * Reports the end to health: a failure after the first byte counts, although nothing is retried
 * then.
 */
function tellEnd(handle: AttemptHandle, { outcome, error }: StreamResult): void {
  handle.ended(outcome === "completed" ? undefined : error ?? truncated());
}
