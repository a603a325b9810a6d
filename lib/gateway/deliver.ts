import { callerLeft } from "../canonical/mod.ts";
import { askedCost } from "../http/cost.ts";
import { streamResponse, wholeResponse } from "../http/respond.ts";
import type { Answer } from "../http/stream/answer.ts";
import { earlyResponse, isSilent } from "../http/stream/early_response.ts";
import { type StreamResult, truncated } from "../http/stream/transcoder.ts";
import { statesOf } from "../ledger/mod.ts";
import type { AttemptHandle, StartedAnswer } from "../routing/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { answerOf, tryCandidates } from "./attempt.ts";
import type { CallContext, ResolvedCall } from "./call_context.ts";
import { flightRow } from "./call_record.ts";
import { fail, settle } from "./settle.ts";

/** Delivers the answer in the requested way: whole, as a stream, or in the background. */
export function deliver(
  candidates: readonly Candidate[],
  resolved: ResolvedCall,
): Promise<Response> {
  const { decoded, background } = resolved;
  const attempt = (candidate: Candidate) => answerOf(candidate, resolved);
  const begin = () => respond(tryCandidates(candidates, attempt, resolved), resolved);
  if (background) return background.start({ begin, fail: (error) => fail(error, resolved) });
  return decoded.envelope.stream ? inTime(begin(), resolved) : begin();
}

/**
 * Responds to a streaming caller before the answer has started if the upstream stays silent, so
 * that keep-alives can be sent.
 */
async function inTime(answering: Promise<Response>, resolved: ResolvedCall): Promise<Response> {
  const { call, gateway, record, decoded: { envelope: { framing } } } = resolved;
  const keepAliveMs = gateway.limits.sseKeepAliveMs;
  if (!await isSilent(answering, keepAliveMs)) return await answering;
  const limitStates = statesOf(record.hold);
  return earlyResponse(call, answering, {
    framing,
    keepAliveMs,
    limitStates,
    fail: (error) => fail(error, resolved),
  });
}

/** Sends an answer once it has started; its last bytes wait until its usage is durable. */
export async function respond(
  starting: Promise<StartedAnswer<Answer>>,
  context: CallContext,
): Promise<Response> {
  const { answer, handle } = await starting;
  const { call, gateway: { limits, ledger }, record } = context;
  record.firstByteMs = Math.round(performance.now() - call.startedAt);
  try {
    const options = {
      notes: record.notes,
      limits,
      limitStates: statesOf(record.hold),
      statedCost: record.decoded && askedCost(call, record.decoded.wire.body),
    };
    if (answer.type === "whole") {
      if (call.signal.aborted) throw callerLeft();
      return wholeResponse(call, answer, await ended(answer.result, handle, context), options);
    }
    if (record.hold) {
      ledger.watch(record.hold, () => flightRow(call, record, answer.transcoder.result()));
    }
    const settleAtEnd = (result: StreamResult) => ended(result, handle, context);
    return streamResponse(call, answer, settleAtEnd, options);
  } catch (error) {
    handle.ended(callerLeft()); // no effect if the end was reported before
    throw error;
  }
}

/**
 * Settles a call at its answer's end, and reports the end to health: a failure after the first byte
 * counts, although nothing is retried then.
 */
function ended(result: StreamResult, handle: AttemptHandle, context: CallContext) {
  const { outcome, error } = result;
  handle.ended(outcome === "completed" ? undefined : error ?? truncated());
  return settle(result, context);
}
