import type { CanonicalResponse, Note } from "../canonical/mod.ts";
import type { AnswerReader } from "../formats/state_codec.ts";
import { withOutputLimit } from "../http/body/output_limit.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import { assertNotesAllowed } from "../http/respond.ts";
import type { Answer, AnswerOptions, Reply } from "../http/stream/answer.ts";
import { begin, isUnchanged } from "../http/stream/begin_answer.ts";
import { outcomeOf } from "../http/stream/transcoder.ts";
import type { ServedTier } from "../ledger/mod.ts";
import type { AttemptResult } from "../routing/mod.ts";
import type { Attempt } from "../store/log/mod.ts";
import { callUpstream, type UpstreamCallOptions } from "../upstreams/call_upstream.ts";
import { keptWords, StepWatcher } from "../upstreams/mod.ts";
import { dialectOf } from "../upstreams/presets/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { ResolvedCall } from "./call_context.ts";
import { promptTokensOf } from "./call_record.ts";
import type { GatewayDeps } from "./dependencies.ts";
import { notedLimit } from "./noted_limit.ts";

/**
 * Returns one candidate's answer once it has started without an error. Throws its failure, without
 * credentials.
 */
export function answerOf(candidate: Candidate, resolved: ResolvedCall): Promise<Answer> {
  const { call } = resolved;
  const limited = limitedFor(candidate, resolved);
  return callUpstream(candidate, call, limited, new UpstreamAttempt(limited, resolved));
}

/** One attempt as `callUpstream` sees it: its dependencies, and the receivers of its results. */
class UpstreamAttempt implements UpstreamCallOptions {
  readonly gateway: GatewayDeps;
  readonly accountId: string;
  readonly #decoded: Decoded;
  readonly #resolved: ResolvedCall;
  /** Reads the answer as it is sent. */
  readonly #reader: AnswerReader | undefined;
  /** Notes about the answer's storage: valid for every candidate. */
  readonly #kept: readonly Note[];

  constructor(decoded: Decoded, resolved: ResolvedCall) {
    const { gateway, record, keeping } = resolved;
    this.gateway = gateway;
    this.accountId = record.caller?.key.accountId ?? "";
    this.#decoded = decoded;
    this.#resolved = resolved;
    this.#reader = keeping?.attempt();
    this.#kept = record.notes;
  }

  onServed(served: ServedTier): void {
    this.#resolved.record.served = served;
  }

  onNotes(notes: readonly Note[]): void {
    const { call, record } = this.#resolved;
    record.notes = notes.length === 0 ? this.#kept : [...this.#kept, ...notes];
    assertNotesAllowed(call.request.headers, notes);
  }

  begin(reply: Reply): Answer | Promise<Answer> {
    const { call, record } = this.#resolved;
    const { limits } = this.gateway;
    const answering = { call, decoded: this.#decoded, limits, reader: this.#reader };
    if (isUnchanged(reply, answering)) return begin(reply, answering);
    const promptTokens = () => promptTokensOf(record);
    const watching = this.#decoded.envelope.stream
      ? watchers(call, this.gateway, this.accountId)
      : { onWhole: (whole: CanonicalResponse) => this.#remember(whole) };
    return begin(reply, { ...answering, promptTokens, ...watching });
  }

  #remember({ alternatives: [first] }: CanonicalResponse): void {
    if (first) this.gateway.memory.remember(this.accountId, first.parts);
  }
}

/** Lowers the request's output limit to the length that its reservation pays for. */
function limitedFor(
  { upstream, format }: Candidate,
  { call, decoded, record }: ResolvedCall,
): Decoded {
  const tokens = notedLimit(call, record);
  if (tokens === undefined) return decoded;
  const { codec } = call;
  const dialect = format === codec.name ? dialectOf(upstream, format) : undefined;
  return withOutputLimit(decoded, codec, { tokens, ...(dialect && { dialect }) });
}

/** An attempt in the form of its log entry. */
export function attemptOf(
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

/** The share of converted streams that are validated against their dialect's protocol. */
const sampledShare = 0.01;

/** The observers of a converted stream: the proof memory, and a validator for a sample. */
function watchers(
  { codec }: Call,
  gateway: GatewayDeps,
  accountId: string,
): Pick<AnswerOptions, "onEvent" | "sample"> {
  const step = new StepWatcher();
  const report = (violations: readonly string[]) => gateway.onViolations(codec.name, violations);
  return {
    onEvent: (event) => {
      step.push(event);
      if (event.type === "end") gateway.memory.remember(accountId, step.parts);
    },
    ...(gateway.random() < sampledShare &&
      { sample: { validator: codec.streamValidator(), report } }),
  };
}
