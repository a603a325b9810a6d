import { withOutputLimit } from "../http/body/output_limit.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import { assertNotesAllowed } from "../http/respond.ts";
import type { Answer, AnswerOptions, Reply } from "../http/stream/answer.ts";
import { begin, isUnchanged } from "../http/stream/begin_answer.ts";
import { outcomeOf } from "../http/stream/transcoder.ts";
import { type AttemptResult, firstSuccess, type StartedAnswer } from "../routing/mod.ts";
import type { Attempt } from "../store/log/mod.ts";
import { callUpstream, embeddedReply } from "../upstreams/call_upstream.ts";
import { keptWords, StepWatcher, withoutCredentials } from "../upstreams/mod.ts";
import { type Asked, prepareRequest } from "../upstreams/prepare_request.ts";
import { dialectOf } from "../upstreams/presets/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { CallContext, ResolvedCall } from "./call_context.ts";
import { type CallRecord, promptTokensOf, sentRow } from "./call_record.ts";
import { noteLimit } from "./noted_limit.ts";

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

/**
 * Returns one candidate's answer once it has started without an error. Throws its failure, without
 * credentials.
 */
export async function answerOf(candidate: Candidate, resolved: ResolvedCall): Promise<Answer> {
  const { call, gateway, record, keeping } = resolved;
  const { upstream } = candidate;
  record.notes = keeping?.notes ?? []; // notes of a failed attempt are dropped
  record.served = undefined;
  const asked = { candidate, call, decoded: limitedFor(candidate, resolved) };
  try {
    if (upstream.answer) {
      return await begun(
        embeddedReply(upstream.answer, asked, gateway.send.ended),
        asked,
        resolved,
      );
    }
    const preparing = prepareRequest(asked, {
      memory: gateway.memory,
      accountId: accountOf(record),
    });
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    if (prepared.notes.length > 0) record.notes = [...record.notes, ...prepared.notes];
    assertNotesAllowed(call.request.headers, prepared.notes);
    const { reply, served } = await callUpstream(prepared, asked, gateway);
    record.served = served;
    const answer = begun(reply, asked, resolved);
    return answer instanceof Promise ? await answer : answer;
  } catch (thrown) {
    throw withoutCredentials(thrown, upstream.credentials);
  }
}

/** The caller's answer, started from the upstream's reply. */
function begun(reply: Reply, { decoded }: Asked, resolved: ResolvedCall): Answer | Promise<Answer> {
  const { call, gateway, record, keeping } = resolved;
  const options = { call, decoded, limits: gateway.limits, reader: keeping?.attempt() };
  if (isUnchanged(reply, options)) return begin(reply, options); // nothing is encoded: no estimates, no proofs
  return begin(reply, {
    ...options,
    promptTokens: () => promptTokensOf(record),
    ...remembering(resolved),
  });
}

/** Remembers the proofs in a converted answer, for callers that cannot send them back. */
function remembering(
  { gateway: { memory }, record, decoded }: ResolvedCall,
): Pick<AnswerOptions, "onEvent" | "onWhole"> {
  const accountId = accountOf(record);
  if (!decoded.envelope.stream) {
    return {
      onWhole: ({ alternatives: [first] }) => {
        if (first) memory.remember(accountId, first.parts);
      },
    };
  }
  const step = new StepWatcher();
  return {
    onEvent: (event) => {
      step.push(event);
      if (event.type === "end") memory.remember(accountId, step.parts);
    },
  };
}

function accountOf({ caller }: CallRecord): string {
  return caller?.key.accountId ?? "";
}

/** Lowers the request's output limit to the length that its reservation pays for. */
function limitedFor(
  { upstream, format }: Candidate,
  { call, decoded, record }: ResolvedCall,
): Decoded {
  const tokens = noteLimit(call, record);
  if (tokens === undefined) return decoded;
  const { codec } = call;
  const dialect = format === codec.name ? dialectOf(upstream, format) : undefined;
  return withOutputLimit(decoded, codec, { tokens, ...(dialect && { dialect }) });
}

/** An attempt in the form of its log entry. */
function attemptOf(
  { candidate, startedAtMs, durationMs, error }: AttemptResult,
  call: Call,
  decoded: Decoded | undefined,
): Attempt {
  const { upstream, upstreamModel, format, credential } = candidate;
  const status = error ? error.upstreamStatus : 200;
  return {
    upstreamId: upstream.id,
    ...(credential && { credentialId: credential.id }),
    upstreamModel,
    ...(format && { upstreamFormat: format }),
    startedAfterMs: startedAtMs - call.startedAtMs,
    durationMs,
    ...(status !== undefined && { status }),
    outcome: error ? error.unsent ? "refused" : outcomeOf(error) : "completed",
    ...(error && {
      errorCode: error.code,
      ...keptWords(error, { body: decoded?.wire.body, credentials: upstream.credentials }),
    }),
  };
}
