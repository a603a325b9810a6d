import {
  type CanonicalRequest,
  type ErrorCode,
  type FormatName,
  formatNames,
  GatewayError,
  totalInputTokens,
  totalOutputTokens,
} from "../canonical/mod.ts";
import { type Codec, encodeAtOnce } from "../formats/codec.ts";
import { codecs } from "../formats/mod.ts";
import type { ListedModel, ModelListing } from "../formats/models.ts";
import type { WireRequest } from "../formats/wire.ts";
import type { UpstreamModel, UpstreamRecord } from "../store/catalog/mod.ts";
import type { UpstreamTimeouts } from "../store/mod.ts";
import { outboundOf } from "./prepare_request.ts";
import { dialectOf } from "./presets/mod.ts";
import { readAnswer, readAnswerJson, type WholeLimits } from "./reply.ts";
import type { Outbound, Send } from "./send.ts";
import { atCloud } from "./surfaces/at_cloud.ts";
import { surfaceListing } from "./surfaces/listing.ts";
import { speaks } from "./surfaces/mod.ts";
import { credentialsOf } from "./upstream.ts";
import { withoutCredentials } from "./upstream_words.ts";

/** The timeouts of a probe, short because a console user waits for its result. */
export const probeTimeouts: UpstreamTimeouts = {
  connectMs: 5_000,
  firstByteMs: 15_000,
  idleMs: 10_000,
  totalMs: 30_000,
};

/** The bounds of the answer to a probe, far above what any vendor sends. */
export const probeLimits: WholeLimits = {
  answerBytesMax: 16 * 1024 * 1024,
  nestingMax: 100,
  answerContainersMax: 500_000,
};

/**
 * The codec of the probe: the first of the formats that the upstream speaks, to this model if one is
 * given. Throws if it has no address.
 */
export function probeCodec(upstream: UpstreamRecord, model?: string): Codec {
  const { id, endpoints } = upstream;
  const format: FormatName | undefined = formatNames.find((name) =>
    endpoints[name] !== undefined && (model === undefined || speaks(upstream, name, model))
  );
  if (format) return codecs[format];
  throw new GatewayError("no_upstream", `Upstream ${id} has no base URL`);
}

/** The list of an upstream's models, and the upstream with the list's address. */
export function listingOf(
  upstream: UpstreamRecord,
  codec: Codec,
): { readonly listing: ModelListing; readonly listed: UpstreamRecord } {
  const own = surfaceListing(upstream, codec.name);
  if (!own) return { listing: codec.modelListing, listed: upstream };
  return {
    listing: own.listing,
    listed: { ...upstream, endpoints: { [codec.name]: own.baseUrl } },
  };
}

/**
 * A request to an address below the upstream's base URL, with its first credential. Throws if that
 * cannot be opened.
 */
export function probeOutbound(
  upstream: UpstreamRecord,
  codec: Codec,
  wire: Pick<WireRequest, "path"> & { readonly body?: string },
): Outbound {
  const [credential] = credentialsOf(upstream);
  const candidate = { upstream, upstreamModel: "", ...(credential && { credential }) };
  const asked = { path: wire.path, search: {}, headers: {}, body: {} };
  const { body: _, ...bare } = outboundOf(candidate, codec, { wire: asked, body: "" });
  return wire.body === undefined
    ? { ...bare, method: "GET" }
    : { ...bare, method: "POST", body: wire.body };
}

/** The model list of an upstream. */
export interface ListedModels {
  readonly models: readonly ListedModel[];
  /** False if the list was cut at its limits. */
  readonly isComplete: boolean;
}

/** Limits of a model list, far above any vendor's. */
const pagesMax = 20;
const modelsMax = 10_000;

/**
 * Lists an upstream's models without duplicates, in its order and with its details. Throws a
 * `GatewayError` with the reason if there is no list; it never contains a credential.
 */
export async function listUpstreamModels(
  upstream: UpstreamRecord,
  send: Send,
  caller: AbortSignal = new AbortController().signal,
): Promise<ListedModels> {
  try {
    return await allPages(upstream, send, caller);
  } catch (thrown) {
    throw withoutCredentials(thrown, upstream.credentials);
  }
}

async function allPages(
  upstream: UpstreamRecord,
  send: Send,
  caller: AbortSignal,
): Promise<ListedModels> {
  const codec = probeCodec(upstream);
  const { listing, listed: at } = listingOf(upstream, codec);
  const models = new Map<string, ListedModel>();
  let next: string | undefined;
  for (let page = 0; page < pagesMax && models.size < modelsMax; page++) {
    const outbound = probeOutbound(at, codec, { path: listing.path(next) });
    const inbound = await send(outbound, probeTimeouts, caller);
    const listed = listing.decode(await readAnswerJson(inbound, codec, probeLimits));
    for (const model of listed.models) models.set(model.id, models.get(model.id) ?? model);
    if (listed.next === undefined || listed.next === next) return complete(models);
    next = listed.next;
  }
  return { models: [...models.values()].slice(0, modelsMax), isComplete: false };
}

function complete(models: ReadonlyMap<string, ListedModel>): ListedModels {
  const listed = [...models.values()];
  return { models: listed.slice(0, modelsMax), isComplete: listed.length <= modelsMax };
}

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
const testTimeouts = { connectMs: 5_000, firstByteMs: 30_000, idleMs: 10_000, totalMs: 40_000 };
const testLimits = { ...probeLimits, answerBytesMax: 1024 * 1024 };
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
  const codec = probeCodec(upstream, model);
  const dialect = dialectOf(upstream, codec.name);
  const [credential] = credentialsOf(upstream);
  const candidate = { upstream, upstreamModel: model, ...(credential && { credential }) };
  const encoded = encodeAtOnce(codec, { ...oneWord, model }, dialect);
  const wire = atCloud(candidate, codec, encoded.wire)?.wire ?? encoded.wire;
  const outbound = outboundOf(candidate, codec, { wire, body: JSON.stringify(wire.body) });
  const inbound = await send(outbound, testTimeouts, caller);
  const { usage } = codec.decodeResponse(await readAnswer(inbound, codec, testLimits));
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
