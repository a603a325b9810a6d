import type { Answer } from "../http/stream/answer.ts";
import { firstSuccess, type StartedAnswer } from "../routing/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { answerOf, attemptOf } from "./attempt.ts";
import type { CallContext, ResolvedCall } from "./call_context.ts";
import { sentRow } from "./call_record.ts";

/** Returns the first answer that starts without an error. */
export function firstAnswer(
  candidates: readonly Candidate[],
  resolved: ResolvedCall,
): Promise<StartedAnswer<Answer>> {
  const { record, keeping } = resolved;
  const attempt = (candidate: Candidate) => {
    record.notes = keeping?.notes ?? []; // notes of a failed attempt are dropped
    record.served = undefined;
    return answerOf(candidate, resolved);
  };
  return tryCandidates(candidates, attempt, resolved);
}

/**
 * Tries candidates until an answer starts without an error. Reports each attempt to health, and
 * records it for the log. From the first one on, the call is logged even if this isolate dies.
 */
export function tryCandidates(
  candidates: readonly Candidate[],
  attempt: (candidate: Candidate) => Promise<Answer>,
  { call, gateway: { health, clock, ledger, limits }, record }: CallContext,
): Promise<StartedAnswer<Answer>> {
  const recorded = (candidate: Candidate) => {
    record.candidate = candidate;
    if (record.hold) ledger.watch(record.hold, () => sentRow(call, record));
    return attempt(candidate);
  };
  return firstSuccess(candidates, recorded, {
    caller: call.signal,
    deadlineMs: call.startedAtMs + limits.attemptsDeadlineMs,
    attemptsMax: limits.attemptsMax,
    waitMsMax: limits.attemptsWaitMs,
    breakerCallsMax: limits.breakerCallsMax,
    health,
    clock,
    onAttempt: (attempted) => record.attempts.push(attemptOf(attempted, call, record.decoded)),
  });
}
