import { assertFormat, authorize, type Caller, mayUseModel } from "./accounts/authorize.ts";
import { callerLeft, GatewayError } from "./canonical/mod.ts";
import type { Envelope } from "./formats/codec.ts";
import { answerOf, attemptOf } from "./gateway/attempt.ts";
import type { Answer } from "./http/answer.ts";
import type { Call } from "./http/call.ts";
import { decode, type Decoded } from "./http/decode.ts";
import { errorResponse, gatewayErrorOf } from "./http/errors.ts";
import { earlyResponse, isSilent } from "./http/early_response.ts";
import { carriedKey } from "./http/key_carrier.ts";
import { withLogLink } from "./http/log_link.ts";
import { answerResponse } from "./http/respond.ts";
import { outcomeOf, type StreamResult, truncated } from "./http/transcoder.ts";
import { limitHeaders } from "./http/limits.ts";
import {
  answeredRow,
  flightRow,
  type Hold,
  refusedRow,
  statesOf,
  type Trace,
  wantedOf,
} from "./ledger/mod.ts";
import { type Keeping, type Read, type WithHistory, withHistory } from "./responses_state/mod.ts";
import { type Begun, candidatesFor, firstSuccess, type Pass } from "./routing/mod.ts";
import type { RequestLogRow } from "./store/mod.ts";
import { withoutUpstreamWords } from "./upstreams/mod.ts";
import type { Candidate } from "./upstreams/upstream.ts";
import type { Arrived } from "./gateway/arrivals.ts";
import type { Gateway, Spender } from "./gateway/world.ts";

export type { Gateway } from "./gateway/world.ts";

/** A call in the line, and what has become known of it. */
export interface Passage {
  /** For an answer that is made beside its caller, one whose signal outlives the caller's. */
  call: Call;
  readonly gateway: Gateway;
  readonly trace: Trace;
  /** What is to become of its answer; absent where nothing is kept. */
  keeping?: Keeping;
}

/**
 * One request for an answer, from the caller's bytes to the caller's bytes. Every stage may refuse
 * with a `GatewayError`, which is answered in the caller's own format; the usage of an answer is
 * durable before its end reaches the caller. `whoCalls` is another for a call that the console
 * makes: no secret says then who pays.
 */
export async function generate(
  call: Call,
  gateway: Gateway,
  whoCalls: typeof identify = identify,
): Promise<Response> {
  const trace: Trace = { notes: [], attempts: [] };
  const passage: Passage = { call, gateway, trace };
  try {
    const caller = trace.caller = await whoCalls(call, gateway);
    const logged = passage.call = withLogLink(call, gateway.publicUrl);
    const read = trace.decoded = await decode(logged, gateway.limits);
    const { decoded, background } = await complete(
      { call: logged, caller, decoded: read },
      passage,
    );
    const candidates = route({ call, caller, envelope: decoded.envelope }, gateway);
    trace.hold = await reserve({ call, caller, decoded, candidate: candidates[0] }, gateway);
    const begin = () => send(decoded, candidates, passage).then((begun) => reply(begun, passage));
    if (background) return await background.start({ begin, fail: (error) => fail(error, passage) });
    return await (decoded.envelope.stream ? inTime(begin(), decoded, passage) : begin());
  } catch (thrown) {
    return await refuse(gatewayErrorOf(thrown), passage);
  }
}

/** The call with all that it goes on from, and what is to become of its answer. Refuses one whose past is not there. */
async function complete(read: Read, passage: Passage): Promise<WithHistory> {
  const whole = await withHistory(passage.gateway.state, read);
  passage.call = whole.call;
  passage.keeping = whole.keeping;
  passage.trace.decoded = whole.decoded;
  return whole;
}

/** Who calls. Refuses a key that is unknown, disabled, expired or used from elsewhere. */
export async function identify(call: Call, gateway: Gateway): Promise<Caller> {
  const secret = carriedKey(call.request.headers, call.url);
  const caller = await authorize(
    secret,
    { ip: call.ip, nowMs: call.startedAtMs },
    gateway.directory,
  );
  assertFormat(caller, call.codec.name);
  return caller;
}

/** What routing goes by. */
interface Routed {
  readonly call: Call;
  readonly caller: Caller;
  readonly envelope: Envelope;
}

/** Which candidates to try, in order; at least one. Refuses a model that is unknown or that the key may not use. */
export function route(
  { call, caller, envelope: { model, conversation } }: Routed,
  { upstreams, health, clock, random }: Gateway,
): Candidate[] {
  const wanted = { model, conversation, format: call.codec.name, groupId: caller.group.id };
  const candidates = candidatesFor(wanted, upstreams(), { health, nowMs: clock.now(), random });
  if (!mayUseModel(caller, model)) {
    throw new GatewayError(
      "model_not_allowed",
      `The key may not use the model ${model}: GET /v1/models lists what it may`,
    );
  }
  if (candidates.length === 0) {
    throw new GatewayError(
      "model_not_found",
      `The model ${model} does not exist here: GET /v1/models lists what does`,
    );
  }
  return candidates;
}

interface Reserved {
  readonly call: Call;
  readonly caller: Caller;
  readonly decoded: Decoded;
  /** Whose price counts. */
  readonly candidate: Candidate;
}

/**
 * What is set aside for a call until it settles. Refuses a model without a price, and a call that a
 * limit or a wallet has no room for.
 */
export async function reserve(
  { call, caller, decoded, candidate }: Reserved,
  { ledger, prices }: Gateway,
): Promise<Hold> {
  const { model } = decoded.envelope;
  const recentOutputTokens = ledger.recentOutputTokens(caller, model);
  const options = { prices, nowMs: call.startedAtMs, recentOutputTokens };
  const hold = await ledger.reserve(wantedOf(caller, decoded, candidate, options), call.signal);
  if (!call.signal.aborted) return hold;
  ledger.release(hold);
  throw callerLeft();
}

/** The first candidate's answer that begins well. */
function send(
  decoded: Decoded,
  candidates: readonly Candidate[],
  passage: Passage,
): Promise<Begun<Answer>> {
  const { call, gateway, trace, keeping } = passage;
  const attempt = (candidate: Candidate) => {
    trace.notes = keeping?.notes ?? []; // those of an attempt that failed are nobody's
    return answerOf(candidate, call, decoded, { gateway, trace, reader: keeping?.attempt() });
  };
  return sendTo(candidates, attempt, passage);
}

/** Tries candidates until an answer begins well; every try is told to health and to the log. */
export function sendTo(
  candidates: readonly Candidate[],
  attempt: (candidate: Candidate) => Promise<Answer>,
  { call, gateway: { health, clock, limits }, trace }: Passage,
): Promise<Begun<Answer>> {
  const told = (candidate: Candidate) => {
    trace.candidate = candidate;
    return attempt(candidate);
  };
  return firstSuccess(candidates, told, {
    caller: call.signal,
    deadlineMs: call.startedAtMs + limits.attemptsDeadlineMs,
    attemptsMax: limits.attemptsMax,
    waitMsMax: limits.attemptsWaitMs,
    health,
    clock,
    onAttempt: (attempted) => trace.attempts.push(attemptOf(attempted, call)),
  });
}

/** The answer on its way out; its last bytes wait until its usage is durable. */
export async function reply({ answer, pass }: Begun<Answer>, passage: Passage): Promise<Response> {
  const { call, gateway, trace } = passage;
  trace.firstByteMs = Math.round(performance.now() - call.startedAt);
  if (trace.hold && answer.type === "stream") {
    gateway.ledger.watch(trace.hold, () => flightRow(call, trace, answer.transcoder.result()));
  }
  return await answerResponse(call, answer, {
    notes: trace.notes,
    limits: gateway.limits,
    limitStates: statesOf(trace.hold),
    settle: (result) => {
      tellEnd(pass, result);
      return settle(result, passage);
    },
  });
}

/** A failure behind the first byte is the upstream's no less, though nothing else can be tried then. */
function tellEnd(pass: Pass, { outcome, error }: StreamResult): void {
  pass.ended(outcome === "completed" ? undefined : error ?? truncated());
}

/** The response to a streaming caller, which begins before its answer where the upstream is silent. */
async function inTime(
  answering: Promise<Response>,
  { envelope }: Decoded,
  passage: Passage,
): Promise<Response> {
  const { call, gateway, trace } = passage;
  const keepAliveMs = gateway.limits.sseKeepAliveMs;
  if (!await isSilent(answering, keepAliveMs)) return await answering;
  const limitStates = statesOf(trace.hold);
  return earlyResponse(call, answering, {
    framing: envelope.framing,
    keepAliveMs,
    limitStates,
    fail: (error) => fail(error, passage),
  });
}

/** Settles a call whose status is out, or that has no caller any more, and that never began to be answered. */
function fail(error: GatewayError, passage: Passage): Promise<void> {
  return settle({ outcome: outcomeOf(error), error }, passage);
}

/** Makes an answer's row durable, and what is kept of it; of what goes wrong after its status is out, only the operator can hear. */
async function settle(
  result: StreamResult,
  { call, gateway, trace, keeping }: Passage,
): Promise<void> {
  if (result.error) reportFailure(call, result.error, gateway);
  const kept = result.outcome === "completed"
    ? keeping?.keep(trace.candidate?.upstream.id)
    : undefined; // never rejects
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

/** What a call's trace tells those who wait for the call. */
function knownOf({ caller, decoded }: Known): Pick<Arrived, "caller" | "model"> {
  return { caller, model: decoded?.envelope.model };
}

/** What may be known of a call that failed. */
type Known = Pick<Trace, "hold" | "caller" | "decoded">;

/** Anything thrown, answered in the caller's format; the operator hears of what is not the caller's. */
export function failed(
  call: Call,
  thrown: unknown,
  gateway: Gateway,
  known: Known = {},
): Response {
  const error = gatewayErrorOf(thrown);
  reportFailure(call, error, gateway);
  gateway.arrived({ call, ...knownOf(known), error });
  const headers = limitHeaders(call, error.limit ? [error.limit] : statesOf(known.hold));
  return errorResponse(error, call.codec, call.id, { headers });
}

function reportFailure(call: Call, error: GatewayError, gateway: Gateway): void {
  if (error.status >= 500) gateway.report(withoutUpstreamWords(error), call.id);
}

export async function refuse(
  error: GatewayError,
  { call, gateway, trace }: Passage,
): Promise<Response> {
  try {
    await record(refusedRow(call, trace, error), gateway, trace);
  } catch (cause) {
    gateway.report(gatewayErrorOf(cause), call.id); // a refusal is answered even when its row cannot be stored
  }
  if (trace.caller && error.limit) gateway.noteRefused(spenderOf(trace.caller), error.limit);
  return failed(call, error, gateway, trace);
}

function spenderOf({ key }: Caller): Spender {
  return { keyId: key.id, groupId: key.groupId, accountId: key.accountId };
}

async function record(
  row: RequestLogRow | undefined,
  { ledger, observe }: Gateway,
  { hold }: Trace,
): Promise<void> {
  if (row) observe(await ledger.settle(row, hold));
}
