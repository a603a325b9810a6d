import {
  type CanonicalRequest,
  type ErrorCode,
  GatewayError,
  totalInputTokens,
  totalOutputTokens,
} from "../canonical/mod.ts";
import { encodeAtOnce } from "../formats/codec.ts";
import type { UpstreamModel, UpstreamRecord } from "../store/catalog/mod.ts";
import { outboundOf } from "./prepare_request.ts";
import { credentialsOf } from "./credential.ts";
import { dialectOf } from "./presets/mod.ts";
import { probeCodec, probeLimits } from "./probe.ts";
import { readAnswer } from "./reply.ts";
import type { Send } from "./send.ts";
import { withoutCredentials } from "./upstream_words.ts";

/** The test result of one model of an upstream. Holds no credential. */
export interface ModelReport {
  /** The public name. */
  readonly model: string;
  readonly tookMs: number;
  /** Absent if it answered. */
  readonly fault?: { readonly code: ErrorCode; readonly status?: number; readonly said: string };
  /** The vendor's token count, if it answered and reported one. */
  readonly tokens?: { readonly input: number; readonly output: number };
}

/** Long enough for a reasoning model, short enough for a waiting user. */
const timeouts = { connectMs: 5_000, firstByteMs: 30_000, idleMs: 10_000, totalMs: 40_000 };
const limits = { ...probeLimits, answerBytesMax: 1024 * 1024 };
const saidCharsMax = 300;
/** The lowest limit that every vendor accepts. */
const answerTokens = 16;

/**
 * Requests one word from a model, with the upstream's first credential and in the first of its
 * formats. The vendor bills the call; no account here is charged. Throws only if the caller
 * disconnects.
 */
export async function testModel(
  upstream: UpstreamRecord,
  { id, upstreamModel = id }: UpstreamModel,
  { send, caller }: { readonly send: Send; readonly caller: AbortSignal },
): Promise<ModelReport> {
  const startedAt = performance.now();
  const seen = await answered(upstream, upstreamModel, { send, caller }).catch((thrown) =>
    faultIn(withoutCredentials(thrown, upstream.credentials))
  );
  return { model: id, tookMs: Math.round(performance.now() - startedAt), ...seen };
}

type Seen = Pick<ModelReport, "fault" | "tokens">;

async function answered(
  upstream: UpstreamRecord,
  model: string,
  { send, caller }: { readonly send: Send; readonly caller: AbortSignal },
): Promise<Seen> {
  const codec = probeCodec(upstream);
  const dialect = dialectOf(upstream, codec.name);
  const { wire } = encodeAtOnce(codec, { ...oneWord, model }, dialect);
  const [credential] = credentialsOf(upstream);
  const candidate = { upstream, upstreamModel: model, ...(credential && { credential }) };
  const outbound = outboundOf(candidate, codec, { wire, body: JSON.stringify(wire.body) });
  const inbound = await send(outbound, timeouts, caller);
  const { usage } = codec.decodeResponse(await readAnswer(inbound, codec, limits));
  return usage
    ? { tokens: { input: totalInputTokens(usage), output: totalOutputTokens(usage) } }
    : {};
}

const oneWord: CanonicalRequest = {
  model: "",
  stream: false,
  instructions: [],
  turns: [{ role: "user", parts: [{ type: "text", text: "Answer with the word OK." }] }],
  tools: [],
  sampling: {},
  limits: { maxOutputTokens: answerTokens },
};

function faultIn(thrown: unknown): Seen {
  if (!(thrown instanceof GatewayError) || thrown.code === "client_closed") throw thrown;
  const { code, upstreamStatus, message } = thrown;
  const status = upstreamStatus !== undefined && { status: upstreamStatus };
  return { fault: { code, ...status, said: message.slice(0, saidCharsMax) } };
}
