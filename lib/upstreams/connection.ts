import { type CanonicalRequest, GatewayError } from "../canonical/mod.ts";
import { type Codec, encodeAtOnce } from "../formats/codec.ts";
import { upstreamWords } from "../formats/mod.ts";
import type { ModelListing } from "../formats/models.ts";
import { answerJsonBounds } from "../http/stream/answer.ts";
import { readJson } from "../json/mod.ts";
import type { UpstreamRecord } from "../store/catalog/mod.ts";
import { sourceIdentity } from "./credentials/mod.ts";
import { listingOf, probeCodec, probeLimits, probeOutbound, probeTimeouts } from "./probe.ts";
import { readBeginning } from "./refusal.ts";
import { type NetworkFault, networkFaultOf, type Send } from "./send.ts";
import { maskedIn } from "./upstream_words.ts";

/** The result of a probe of an upstream. Holds no credential. */
export interface ConnectionReport {
  readonly state: ConnectionState;
  /** True if calls may succeed. */
  readonly isReady: boolean;
  /** The probed URL; absent if no request could be made. */
  readonly url?: string;
  readonly tookMs: number;
  /** Absent without an answer. */
  readonly status?: number;
  /** The upstream's message or the network error, shortened. */
  readonly said?: string;
  /** The number of models on the first page of its list. */
  readonly models?: number;
  /** A base URL for the same format that does work. */
  readonly suggestedBaseUrl?: string;
  /** The name under which a cloud knows the credential source, such as the ARN of a role. */
  readonly identity?: string;
  /** The time by which the server's clock is ahead, from its `date` header, to the second. */
  readonly clockAheadMs?: number;
}

/**
 * Probes whether an upstream accepts its first credential: by its model list, or by an empty call
 * if it has no list. Free of charge at every vendor. Throws only if the caller disconnects.
 */
export async function testConnection(
  upstream: UpstreamRecord,
  send: Send,
  caller: AbortSignal = new AbortController().signal,
): Promise<ConnectionReport> {
  const startedAt = performance.now();
  const probe: Probe = { upstream, send, caller };
  const [seen, identity] = await Promise.all([
    seenAt(probe).catch(seenFailing),
    sourceIdentity(upstream, { send, timeouts: probeTimeouts, caller }),
  ]);
  const masked = maskedIn(seen.said ?? "", upstream.credentials);
  const { said: _, ...rest } = seen;
  return {
    ...rest,
    isReady: ready.has(seen.state),
    tookMs: Math.round(performance.now() - startedAt),
    ...(identity !== undefined && { identity }),
    ...(masked !== "" && { said: masked.slice(0, saidCharsMax) }),
  };
}

const saidCharsMax = 300;

interface Probe {
  readonly upstream: UpstreamRecord;
  readonly send: Send;
  readonly caller: AbortSignal;
}

type Seen = Pick<
  ConnectionReport,
  "state" | "url" | "status" | "said" | "models" | "suggestedBaseUrl" | "clockAheadMs"
>;

interface Answered {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

async function seenAt(probe: Probe): Promise<Seen> {
  const { upstream } = probe;
  if (upstream.credentialsFault !== undefined) return { state: "sealed" };
  const codec = probeCodec(upstream);
  const { listing, listed } = listingOf(upstream, codec);
  const answered = await asked({ ...probe, upstream: listed }, codec, { path: listing.path() });
  const seen = await seenIn(answered, listing, upstream);
  return seen.state === "path" ? { ...seen, ...await besideTheList(probe, codec) } : seen;
}

/** Probes without a model list; finds nothing if that fails too. */
async function besideTheList(probe: Probe, codec: Codec): Promise<Partial<Seen>> {
  try {
    const state = await stateWithoutList(probe, codec);
    if (state !== "path") return { state };
    const suggestedBaseUrl = await baseUrlThatAnswers(probe, codec);
    return suggestedBaseUrl === undefined ? {} : { suggestedBaseUrl };
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.code !== "client_closed") return {};
    throw thrown;
  }
}

async function asked(
  { upstream, send, caller }: Probe,
  codec: Codec,
  wire: { readonly path: string; readonly body?: string },
): Promise<Answered> {
  const outbound = probeOutbound(upstream, codec, wire);
  const inbound = await send(outbound, probeTimeouts, caller);
  const bytes = await readBeginning(inbound, probeLimits.answerBytesMax);
  return { url: outbound.url, status: inbound.status, headers: inbound.headers, bytes };
}

async function seenIn(
  answered: Answered,
  listing: ModelListing,
  upstream: UpstreamRecord,
): Promise<Seen> {
  const { url, status, headers } = answered;
  const known = { url, status, ...clockIn(headers) };
  if (status === 200) return { ...known, ...await modelsIn(answered, listing) };
  const state = stateOf(status, upstream);
  const said = state === "redirect" ? headers.get("location") ?? "" : await wordsIn(answered);
  return { ...known, state, said };
}

function clockIn(headers: Headers): Pick<Seen, "clockAheadMs"> {
  const atMs = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(atMs) ? {} : { clockAheadMs: atMs - Date.now() };
}

async function modelsIn(
  { bytes }: Answered,
  listing: ModelListing,
): Promise<Pick<Seen, "state" | "models" | "said">> {
  const body = await jsonIn(bytes);
  if (body === undefined) return { state: "not-json", said: textOf(bytes).trim() };
  try {
    return { state: "ok", models: listing.decode(body).models.length };
  } catch {
    return { state: "no-list", said: textOf(bytes) };
  }
}

function stateOf(status: number, { credentials }: UpstreamRecord): ConnectionState {
  if (status >= 300 && status < 400) return "redirect";
  if (status === 401 || status === 403) {
    return credentials.length > 0 ? "key-refused" : "key-missing";
  }
  if (status === 404 || status === 405) return "path";
  return status === 429 ? "busy" : "failing";
}

/** The upstream's error message; empty for an HTML page. */
async function wordsIn({ bytes }: Answered): Promise<string> {
  const body = await jsonIn(bytes);
  if (body !== undefined) return upstreamWords(body).message;
  const text = textOf(bytes);
  return upstreamWords(text.trimStart().startsWith("<") ? "" : text).message;
}

async function jsonIn(bytes: Uint8Array): Promise<unknown> {
  try {
    return (await readJson(bytes, answerJsonBounds(probeLimits))).value;
  } catch {
    return undefined;
  }
}

/** The first `textBytesMax` bytes of an answer as text, more than the report shows. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, textBytesMax));
}

const textBytesMax = 64 * 1024;

/** Sends an empty request, which every server of the format rejects without billing. */
async function stateWithoutList(probe: Probe, codec: Codec): Promise<ConnectionState> {
  const { wire } = encodeAtOnce(codec, emptyRequest);
  const { status } = await asked(probe, codec, { path: wire.path, body: "{}" });
  return status === 400 || status === 422 ? "unlisted" : stateOf(status, probe.upstream);
}

const emptyRequest: CanonicalRequest = {
  model: "none",
  stream: false,
  instructions: [],
  turns: [],
  tools: [],
  sampling: {},
  limits: {},
};

const endings = ["", "/v1", "/v1beta", "/api/v1", "/openai/v1"];

/** Looks for another base URL on the same host that has a model list. */
async function baseUrlThatAnswers(probe: Probe, codec: Codec): Promise<string | undefined> {
  const { upstream } = probe;
  const entered = upstream.endpoints[codec.name] ?? "";
  const bare = endings.slice(1).toReversed().reduce(withoutEnding, entered);
  for (const baseUrl of endings.map((ending) => bare + ending)) {
    if (baseUrl === entered) continue;
    const moved = { ...upstream, endpoints: { [codec.name]: baseUrl } };
    const path = codec.modelListing.path();
    const answered = await asked({ ...probe, upstream: moved }, codec, { path });
    const { state } = await seenIn(answered, codec.modelListing, upstream);
    if (state === "ok") return baseUrl;
  }
  return undefined;
}

function withoutEnding(baseUrl: string, ending: string): string {
  return baseUrl.endsWith(ending) ? baseUrl.slice(0, -ending.length) : baseUrl;
}

function seenFailing(thrown: unknown): Seen {
  if (!(thrown instanceof GatewayError) || thrown.code === "client_closed") throw thrown;
  const said = innermost(thrown).message;
  if (thrown.code === "upstream_unauthorized") return { state: "key-refused", said };
  if (thrown.code === "upstream_timeout") return { state: "timeout", said: thrown.message };
  return { state: networkFaultOf(thrown.cause), said };
}

function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

/** The outcome of a probe of an upstream. */
export type ConnectionState =
  | "ok"
  | "unlisted"
  | "busy"
  | "key-missing"
  | "key-refused"
  | "sealed"
  | "path"
  | "redirect"
  | "not-json"
  | "no-list"
  | "failing"
  | "timeout"
  | NetworkFault;

/** States in which calls may succeed. */
const ready: ReadonlySet<ConnectionState> = new Set(["ok", "unlisted", "busy"]);
