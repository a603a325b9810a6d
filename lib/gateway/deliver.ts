import { callerLeft, type Note } from "../canonical/mod.ts";
import type { AnswerReader } from "../formats/state_codec.ts";
import type { Call } from "../http/call.ts";
import { type Decoded, withOutputLimit } from "../http/decode.ts";
import { askedCost, assertNotesAllowed, streamResponse, wholeResponse } from "../http/respond.ts";
import type { Answer, AnswerOptions, Reply } from "../http/stream/answer.ts";
import { beginAnswer, isUnchanged } from "../http/stream/begin_answer.ts";
import { earlyResponse } from "../http/stream/early_response.ts";
import { steerable } from "../http/stream/steerable.ts";
import { type StreamResult, truncated } from "../http/stream/transcoder.ts";
import { within } from "../http/timers.ts";
import { statesOf } from "../ledger/mod.ts";
import type { AttemptHandle, StartedAnswer } from "../routing/mod.ts";
import { callUpstream, embeddedReply } from "../upstreams/call_upstream.ts";
import { StepWatcher, withoutCredentials } from "../upstreams/mod.ts";
import { type AttemptedCall, prepareRequest } from "../upstreams/prepare_request.ts";
import { dialectOf } from "../upstreams/presets/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { tryCandidates } from "./attempts.ts";
import type { CallContext, CallRecord, ResolvedCall } from "./call_context.ts";
import { flightRow, promptTokensOf } from "./call_record.ts";
import { compactedReply } from "./compacted_reply.ts";
import type { Compacting } from "./compaction.ts";
import { settle, settleFailure } from "./settle.ts";
import { noteLimit } from "./stages.ts";

/** Delivers the answer in the requested way: whole, as a stream, or in the background. */
export function deliver(
  candidates: readonly Candidate[],
  resolved: ResolvedCall,
): Promise<Response> {
  const { decoded, background, gateway: { repeatable } } = resolved;
  const attempt = (candidate: Candidate) => answerOf(candidate, resolved);
  const begin = () => respond(tryCandidates(candidates, attempt, resolved), resolved);
  if (background) {
    repeatable?.queued();
    return background.start({
      begin,
      fail: (error) => settleFailure(error, resolved),
    });
  }
  return decoded.envelope.stream ? inTime(begin(), resolved) : begin();
}

/**
 * Responds to a streaming caller before the answer has started if the upstream stays silent, so
 * that keep-alives can be sent.
 */
async function inTime(answering: Promise<Response>, resolved: ResolvedCall): Promise<Response> {
  const { call, gateway, record, decoded: { envelope: { framing } } } = resolved;
  const keepAliveMs = gateway.limits.sseKeepAliveMs;
  return await within(keepAliveMs, answering) ?? earlyResponse(call, answering, {
    framing,
    keepAliveMs,
    limitStates: statesOf(record.hold),
    fail: (error) => settleFailure(error, resolved),
  });
}

/** Sends an answer once it has started; its last bytes wait until its usage is durable. */
export async function respond(
  starting: Promise<StartedAnswer<Answer>>,
  context: CallContext,
): Promise<Response> {
  const { answer: begun, handle } = await starting;
  const { call, gateway: { limits, ledger, repeatable }, record } = context;
  record.firstByteMs = Math.round(performance.now() - call.startedAt);
  try {
    const statedCost = record.decoded && askedCost(call, record.decoded.wire.body);
    const facts = {
      notes: record.notes,
      model: record.candidate?.model,
      retires: retirementIn(context)?.date,
    };
    const answer =
      repeatable?.recorded(begun, { ...facts, statesCost: statedCost !== undefined }) ??
        begun;
    const options = {
      ...facts,
      limits,
      limitStates: statesOf(record.hold),
      spending: record.budgets && await spendingHeaders(record.budgets, call),
      statedCost,
    };
    if (answer.type === "whole") {
      if (call.signal.aborted) throw callerLeft();
      return wholeResponse(call, answer, await ended(answer.result, handle, context), options);
    }
    if (record.hold && !repeatable) { // killed, a repeatable call costs nothing: its repetition runs again
      ledger.watch(record.hold, () => flightRow(call, record, answer.transcoder.result()));
    }
    const settleAtEnd = (result: StreamResult) => ended(result, handle, context);
    return streamResponse(call, answer, settleAtEnd, options);
  } catch (error) {
    handle.ended(callerLeft()); // no effect if the end was reported before
    throw error;
  }
}

/** The announced end of the model that answers. */
function retirementIn({ gateway: { prices }, record: { candidate, decoded } }: CallContext) {
  if (!candidate) return undefined;
  const { upstreamModel } = candidate;
  return prices.retirementOf({ model: decoded?.envelope.model ?? upstreamModel, upstreamModel });
}

/** Without the headers, a client shows no budget: an answer does not wait longer for them. */
const budgetsWaitMs = 1_000;

async function spendingHeaders(
  budgets: NonNullable<CallRecord["budgets"]>,
  { codec }: Call,
): Promise<Readonly<Record<string, string>> | undefined> {
  const [fullest, ...others] = await within(budgetsWaitMs, budgets) ?? [];
  return fullest && codec.spending?.headers?.([fullest, ...others]);
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

/**
 * Returns one candidate's answer once it has started without an error. Throws its failure, without
 * credentials.
 */
async function answerOf(candidate: Candidate, resolved: ResolvedCall): Promise<Answer> {
  const { call, record, keeping } = resolved;
  const { upstream } = candidate;
  record.notes = keeping?.notes ?? []; // notes of a failed attempt are dropped
  record.served = undefined;
  const asked = { candidate, call, decoded: limitedFor(candidate, resolved) };
  try {
    const reply = resolved.compacting
      ? compactedBy(candidate, resolved, resolved.compacting)
      : await replyOf(asked, resolved);
    const answer = answerFrom(reply, asked, resolved);
    return answer instanceof Promise ? await answer : answer;
  } catch (thrown) {
    throw withoutCredentials(thrown, upstream.credentials);
  }
}

/** Sends a request to a candidate. */
async function replyOf(
  asked: AttemptedCall,
  { call, gateway, record }: ResolvedCall,
): Promise<Reply> {
  const { candidate: { upstream } } = asked;
  if (upstream.answer) return embeddedReply(upstream.answer, asked, gateway.send.ended);
  const { memory } = gateway;
  const preparing = prepareRequest(asked, { memory, accountId: accountOf(record) });
  const prepared = preparing instanceof Promise ? await preparing : preparing;
  if (prepared.notes.length > 0) {
    addNotes(record, prepared.notes);
    assertNotesAllowed(call.request.headers, prepared.notes);
  }
  const { reply, served } = await callUpstream(prepared, asked, gateway);
  record.served = served;
  return reply;
}

/** A compaction sends several requests that lose the same. */
function addNotes(record: CallRecord, notes: readonly Note[]): void {
  const isKnown = ({ path, reason }: Note) =>
    record.notes.some((known) => known.path === path && known.reason === reason);
  record.notes = [...record.notes, ...notes.filter((note) => !isKnown(note))];
}

function compactedBy(candidate: Candidate, resolved: ResolvedCall, compacting: Compacting): Reply {
  const { call, decoded, record, gateway: { limits } } = resolved;
  const ask = (one: Decoded) =>
    replyOf(
      { candidate, call, decoded: limitedFor(candidate, { ...resolved, decoded: one }) },
      resolved,
    );
  const setFree = (isFree: boolean) => {
    record.isFree = isFree;
  };
  return compactedReply({ call, decoded, compacting, limits, ask, setFree });
}

/** Starts the caller's answer from the upstream's reply. */
function answerFrom(
  reply: Reply,
  { decoded }: AttemptedCall,
  resolved: ResolvedCall,
): Answer | Promise<Answer> {
  const { call, gateway, record, keeping } = resolved;
  const { steering } = call;
  const reader = keeping?.attempt(steering !== undefined) ?? compactReader(resolved);
  const options = { call, decoded, limits: gateway.limits, reader };
  const answer = beginAnswer(
    reply,
    isUnchanged(reply, options) // nothing is encoded: no estimates, no proofs
      ? options
      : { ...options, promptTokens: () => promptTokensOf(record), ...remembering(resolved) },
  );
  return steering && reader ? steerable(answer, steering, reader) : answer;
}

/** Turns the answer to the endpoint that only compacts into its form. */
function compactReader({ compacting }: ResolvedCall): AnswerReader | undefined {
  const changes = compacting?.keys.codec.answerChanges;
  return compacting && changes && {
    push: (event) => event,
    whole: (answer) => changes(compacting.arrived.wire, answer),
    answer: undefined,
    latest: undefined,
  };
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
