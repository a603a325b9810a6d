import type { AnswerReader } from "../formats/state_codec.ts";
import { withOutputLimit } from "../http/body/output_limit.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import { assertNotesAllowed } from "../http/respond.ts";
import type { Answer, AnswerOptions } from "../http/stream/answer.ts";
import { begin, isUnchanged } from "../http/stream/begin_answer.ts";
import { outcomeOf } from "../http/stream/transcoder.ts";
import type { AttemptResult } from "../routing/mod.ts";
import type { Attempt } from "../store/log/mod.ts";
import { callUpstream, type UpstreamCallOptions } from "../upstreams/call_upstream.ts";
import { keptWords, StepWatcher, withoutCredentials } from "../upstreams/mod.ts";
import { dialectOf } from "../upstreams/presets/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { type CallRecord, promptTokensOf } from "./call_record.ts";
import type { GatewayDeps } from "./dependencies.ts";
import { notedLimit } from "./noted_limit.ts";

/**
 * Returns one candidate's answer once it has started without an error. Throws its failure, without
 * credentials.
 */
export async function answerOf(
  candidate: Candidate,
  call: Call,
  decoded: Decoded,
  { gateway, record, reader }: {
    readonly gateway: GatewayDeps;
    readonly record: CallRecord;
    /** Reads the answer as it is sent. */
    readonly reader?: AnswerReader;
  },
): Promise<Answer> {
  try {
    const limited = limitedFor(candidate, call, { decoded, record });
    const options = callOptionsOf(call, gateway, record);
    const reply = await callUpstream(candidate, call, limited, options);
    const { limits } = gateway;
    const promptTokens = () => promptTokensOf(record);
    const answering: AnswerOptions = { call, decoded: limited, limits, promptTokens, reader };
    if (isUnchanged(reply, answering)) return await begin(reply, answering);
    const watching = watchers(call, gateway, options.accountId);
    return await begin(reply, { ...answering, ...watching });
  } catch (thrown) {
    throw withoutCredentials(thrown, candidate.upstream.credentials);
  }
}

/** Lowers the request's output limit to the length that its reservation pays for. */
function limitedFor(
  { upstream, format }: Candidate,
  call: Call,
  { decoded, record }: { readonly decoded: Decoded; readonly record: CallRecord },
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
    outcome: error ? outcomeOf(error) : "completed",
    ...(error && {
      errorCode: error.code,
      ...keptWords(error, { body: decoded?.wire.body, credentials: upstream.credentials }),
    }),
  };
}

function callOptionsOf(call: Call, gateway: GatewayDeps, record: CallRecord): UpstreamCallOptions {
  const kept = record.notes; // about the answer's storage: valid for every candidate
  return {
    send: gateway.send,
    limits: gateway.limits,
    accountId: record.caller?.key.accountId ?? "",
    memory: gateway.memory,
    onServed: (served) => record.served = served,
    onNotes: (notes) => {
      record.notes = [...kept, ...notes];
      assertNotesAllowed(call.request.headers, notes);
    },
  };
}

/** The share of converted streams that are validated against their dialect's protocol. */
const sampledShare = 0.01;

/** The observers of a converted answer: the proof memory, and a validator for a sample. */
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
