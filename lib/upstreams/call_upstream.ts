import { BoundedMap } from "../bounded_map.ts";
import {
  assertVendorStateFits,
  atOnce,
  foreignState,
  GatewayError,
  lengthOf,
  type Note,
  repairTurns,
  searchedText,
  serviceTierOf,
  type Steps,
  withReadMembers,
} from "../canonical/mod.ts";
import type { PriceTerms } from "../formats/billing.ts";
import type { Codec } from "../formats/codec.ts";
import type { Dialect } from "../formats/dialect.ts";
import { codecs } from "../formats/mod.ts";
import type { MemberChanges, StateCodec } from "../formats/state_codec.ts";
import type { ServerSentEvent, WireRequest } from "../formats/wire.ts";
import { isSaidTwice } from "../http/body/bound_members.ts";
import { atOnceMax } from "../http/body/json_scan.ts";
import { longJson } from "../http/body/long_json.ts";
import { matchesIn } from "../http/body/long_search.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import type { Answer, Reply, StreamReply, WholeReply } from "../http/stream/answer.ts";
import type { AnswerLimits } from "../http/stream/answer_limits.ts";
import { Pace } from "../http/stream/pace.ts";
import { complete } from "../http/stream/source.ts";
import type { Rewrite } from "../http/stream/transcoder.ts";
import { beforeSending, throwUnsent } from "./before_sending.ts";
import type { ContinuationMemory } from "./continuation_memory.ts";
import { emulatedStops } from "./emulated_stops.ts";
import { dialectOf } from "./presets/mod.ts";
import { replyOf } from "./reply.ts";
import type { Outbound, Send, UpstreamAnswer } from "./send.ts";
import type { AnswerInProcess, Candidate } from "./upstream.ts";
import { withoutCredentials } from "./upstream_words.ts";
import { wireProfiles } from "./wire_profile.ts";

/** Everything that a call to an upstream needs in addition to the request. */
export interface UpstreamCallOptions {
  readonly gateway: {
    readonly send: Send;
    /** The bounds of an answer. */
    readonly limits: AnswerLimits;
    readonly memory: ContinuationMemory;
  };
  /** The account whose remembered proofs may be restored. */
  readonly accountId: string;
  /** Receives the conversion notes; may throw to refuse the conversion. */
  onNotes(notes: readonly Note[]): void;
  /** Receives the tier and region from a response header, else from the request. */
  onServed(served: Pick<PriceTerms, "tier" | "region">): void;
  /** Starts the caller's answer from the upstream's. */
  begin(reply: Reply): Answer | Promise<Answer>;
}

/**
 * Calls one candidate. In the caller's own format the body is passed through, except for a mapped
 * model; otherwise it is converted. Resolves with the caller's answer once it has started; throws
 * the upstream's refusal, without credentials.
 */
export async function callUpstream(
  candidate: Candidate,
  call: Call,
  decoded: Decoded,
  options: UpstreamCallOptions,
): Promise<Answer> {
  const { upstream } = candidate;
  const { send, limits } = options.gateway;
  try {
    const { answer } = upstream;
    if (answer) {
      const asked = { candidate, call, decoded };
      return await options.begin(beforeSending(() => callEmbedded(answer, asked, send.ended)));
    }
    const preparing = beforeSending(() => preparedFor(candidate, call, decoded, options));
    const prepared = preparing instanceof Promise ? await preparing.catch(throwUnsent) : preparing;
    const inbound = await send(prepared.outbound, upstream.timeouts, call.signal);
    options.onServed(servedAs(prepared, inbound));
    const reply = await replyOf(inbound, prepared.codec, limits);
    const begun = options.begin(repliedTo(prepared, reply, { candidate, call, decoded }));
    return begun instanceof Promise ? await begun : begun;
  } catch (thrown) {
    throw withoutCredentials(thrown, upstream.credentials);
  }
}

/** The upstream's answer as its request needs it. */
function repliedTo(
  { codec, rewrite }: Prepared,
  answer: StreamReply | WholeReply,
  { candidate, call, decoded }: Asked,
): Reply {
  const isRelayed = answer.type === "stream" && codec.name === call.codec.name;
  const reply = isRelayed ? relayedStream(answer, decoded, candidate) : answer;
  return rewrite ? { ...reply, rewrite } : reply;
}

/** A stream in the caller's own format, without the events that the caller did not request. */
function relayedStream(reply: StreamReply, decoded: Decoded, candidate: Candidate): StreamReply {
  const { statedCost } = reply.codec;
  const hides = hiddenEvents(reply.codec, decoded, candidate);
  const holds = statedCost?.isAsked(decoded.wire.body)
    ? (event: ServerSentEvent) => statedCost.isLast(event)
    : undefined;
  return { ...reply, ...(hides && { hides }), ...(holds && { holds }) };
}

/** A request, and the candidate that it is sent to. */
interface Asked {
  readonly candidate: Candidate;
  readonly call: Call;
  readonly decoded: Decoded;
}

/** An outbound call, and the rewrite that its answer's events need. */
interface Prepared {
  readonly codec: Codec;
  readonly outbound: Outbound;
  /** The request members that change its price. */
  readonly terms: PriceTerms;
  readonly rewrite?: Rewrite;
}

function preparedFor(
  candidate: Candidate,
  call: Call,
  decoded: Decoded,
  options: UpstreamCallOptions,
): Prepared | Promise<Prepared> {
  const { upstream, format } = candidate;
  if (!format) throw new GatewayError("no_upstream", `Upstream ${upstream.id} has no base URL`);
  const codec = codecs[format];
  if (format !== call.codec.name) return converted(candidate, codec, decoded, options);
  const prepare = (isForeign: boolean) =>
    isForeign
      ? converted(candidate, codec, decoded, options)
      : passedOn(candidate, codec, { call, decoded, options });
  const { read } = decoded;
  return lengthOf(read) > atOnceMax
    ? matchesIn(read, [foreignState], new Pace()).then((found) => prepare(found !== ""))
    : prepare(foreignState.test(searchedText(read)));
}

function converted(
  candidate: Candidate,
  codec: Codec,
  decoded: Decoded,
  options: UpstreamCallOptions,
): Prepared | Promise<Prepared> {
  if (lengthOf(decoded.read) > atOnceMax) return longConverted(candidate, codec, decoded, options);
  const { wire, ...rest } = atOnce(encodingSteps(candidate, codec, decoded, options));
  return {
    ...rest,
    outbound: outboundOf(candidate, codec, { wire, body: JSON.stringify(wire.body) }),
  };
}

/** The same for a long body, with turns for other work. */
async function longConverted(
  candidate: Candidate,
  codec: Codec,
  decoded: Decoded,
  options: UpstreamCallOptions,
): Promise<Prepared> {
  const pace = new Pace();
  await pace.turn();
  decoded.canonical();
  await pace.turn();
  const { wire, ...rest } = await pace.through(encodingSteps(candidate, codec, decoded, options));
  const body = await longJson(wire.body, pace, lengthOf(decoded.read));
  return { ...rest, outbound: outboundOf(candidate, codec, { wire, body }) };
}

/** `ended` aborts when the server stops. */
function callEmbedded(
  answer: AnswerInProcess,
  { candidate, call, decoded }: Asked,
  ended: AbortSignal,
): Reply {
  ended.throwIfAborted();
  assertVendorStateFits(decoded.envelope, undefined);
  const abort = new AbortController();
  const end = () => abort.abort(ended.reason);
  const forget = () => ended.removeEventListener("abort", end); // the signal outlives the call
  const events = answer({ ...decoded.canonical(), model: candidate.upstreamModel }, {
    requestId: call.id,
    signal: AbortSignal.any([abort.signal, call.signal]),
  });
  ended.addEventListener("abort", end);
  const cancel = (reason: GatewayError) => {
    forget();
    abort.abort(reason);
  };
  return {
    type: "events",
    source: {
      read: async () => {
        const next = await events.next();
        if (!next.done) return next.value;
        forget();
        return undefined;
      },
      cancel,
      release: () => cancel(complete),
    },
  };
}

/** The native pass-through: keeps the text of the body, including unknown fields. */
function passedOn(
  candidate: Candidate,
  codec: Codec,
  { call, decoded, options }: Omit<Asked, "candidate"> & { readonly options: UpstreamCallOptions },
): Prepared {
  const { wire, read, envelope, terms = {} } = decoded;
  const kept = keptMembers(candidate, codec, decoded);
  if (kept.notes.length > 0) options.onNotes(kept.notes);
  const inPath = call.endpoint.path.includes("{model}");
  if (!inPath && isSaidTwice(read, "model")) throw modelNamedTwice();
  const mapped = !inPath && candidate.upstreamModel !== envelope.model;
  const changed = withReadMembers(read, {
    ...(mapped && { model: candidate.upstreamModel }),
    ...(envelope.stream && codec.meteredStream?.members(wire.body, dialectFor(candidate, codec))),
    ...kept.members,
    ...ownMembers(codec, wire),
  });
  const sent = inPath ? withModelInPath(wire, pathName(candidate, envelope.model)) : wire;
  const outbound = outboundOf(candidate, codec, {
    wire: sent,
    body: changed.bytes ?? changed.text,
  });
  return { codec, outbound, terms };
}

/** The tier and region of the call: a response header wins over the request. */
function servedAs(
  { terms: { tier: asked, region }, codec: { name } }: Prepared,
  { headers }: UpstreamAnswer,
): Pick<PriceTerms, "tier" | "region"> {
  const { servedTierHeader: header } = wireProfiles[name];
  const tier = header === undefined ? asked : serviceTierOf(headers.get(header)) ?? asked;
  return { tier, region };
}

/** Removes request members that are meant for the gateway only. */
function ownMembers({ statedCost }: Codec, { body }: WireRequest): MemberChanges {
  return statedCost && body[statedCost.member] !== undefined
    ? { [statedCost.member]: undefined }
    : {};
}

/** The body changes for this upstream that the gateway's stored state requires. */
function keptMembers(
  { upstream, upstreamModel }: Candidate,
  { state }: Codec,
  { wire, seals }: Decoded,
): ReturnType<StateCodec["forUpstream"]> {
  if (!seals || !state) return unchanged;
  const isForeign = (seal: string) => (seals.get(seal) ?? upstream.id) !== upstream.id;
  return state.forUpstream(wire.body, { model: upstreamModel, isForeign });
}

const unchanged: ReturnType<StateCodec["forUpstream"]> = { members: {}, notes: [] };

/** Rejects a repeated `model`: the upstream might use the one that the key may not use. */
function modelNamedTwice(): GatewayError {
  return new GatewayError(
    "invalid_request",
    "Cannot relay the request: the body has more than one model field. Send one",
  );
}

/** Matches events of a same-format answer that exist only because the gateway requested usage. */
function hiddenEvents(
  codec: Codec,
  { wire, envelope }: Decoded,
  candidate: Candidate,
): ((event: ServerSentEvent) => boolean) | undefined {
  const { meteredStream } = codec;
  const dialect = dialectFor(candidate, codec);
  const isWanted = codec.statedCost?.isAsked(wire.body) ?? false;
  const isAdded = meteredStream?.members(wire.body, dialect) !== undefined;
  if (!envelope.stream || !meteredStream || !isAdded || isWanted) return undefined;
  return (event) => meteredStream.isExtra(event);
}

/** The upstream's dialect of the format, from its preset and its configuration. */
function dialectFor({ upstream }: Candidate, { name }: Codec): Dialect | undefined {
  const dialect = dialectOf(upstream, name);
  return upstream.automaticCaching === false ? { ...dialect, automaticCaching: false } : dialect;
}

/** Strips an operator's `models/` prefix; the caller's name stays as it was authorised. */
function pathName({ upstreamModel }: Candidate, judged: string): string {
  return upstreamModel === judged ? judged : upstreamModel.replace(/^models\//, "");
}

/** Replaces the name in `/models/NAME:verb`; the verb follows the last colon. */
function withModelInPath({ path, headers }: WireHead, model: string): WireHead {
  const name = encodeURIComponent(model);
  return { path: `/models/${name}${path.slice(path.lastIndexOf(":"))}`, headers };
}

/** The request in an upstream's format. */
function* encodingSteps(
  candidate: Candidate,
  codec: Codec,
  decoded: Decoded,
  options: UpstreamCallOptions,
): Steps<Omit<Prepared, "outbound"> & { readonly wire: WireRequest }> {
  const whole = options.gateway.memory.restored(options.accountId, decoded.canonical());
  yield;
  const { request, notes: repairs } = repairTurns(whole, codec.name);
  yield;
  const { upstreamModel: model } = candidate;
  const sent = request.model === model ? request : { ...request, model };
  const { wire, notes } = yield* codec.requestSteps(sent, dialectFor(candidate, codec));
  const { notes: stopNotes, rewrite } = emulatedStops(request, notes);
  options.onNotes(repairs.length === 0 ? stopNotes : [...repairs, ...stopNotes]);
  const terms = codec.billing.terms(wire.body);
  return { codec, wire, terms, ...(rewrite && { rewrite }) };
}

/** The part of a request from which the outbound one's address and headers are made. */
type WireHead = Pick<WireRequest, "path" | "headers">;

/** Builds the outbound request to a candidate from a request in a codec's format. */
export function outboundOf(
  candidate: Candidate,
  codec: Codec,
  { wire, body }: { readonly wire: WireHead; readonly body: string | Uint8Array<ArrayBuffer> },
): Outbound {
  const { url, headers } = headOf(candidate, codec, wire);
  return { url, headers, origin: candidate.upstream.origin, body };
}

interface OutboundHead extends Pick<Outbound, "url" | "headers"> {
  readonly codec: Codec;
}

/** The last heads of each candidate: nearly all its calls have the same. */
const keptHeads = new WeakMap<Candidate, BoundedMap<string, OutboundHead>>();
const headsMax = 16;
const keyCharsMax = 1024;

function headOf(candidate: Candidate, codec: Codec, wire: WireHead): OutboundHead {
  const key = headKey(wire, wireProfiles[codec.name].forwardedHeaders);
  const known = keptHeads.get(candidate)?.get(key);
  if (known?.codec === codec) return known;
  const head = newHead(candidate, codec, wire);
  if (key.length > keyCharsMax) return head;
  keptHeads.getOrInsertComputed(candidate, () => new BoundedMap(headsMax)).set(key, head);
  return head;
}

/** Everything in a request that its head depends on. */
function headKey({ path, headers }: WireHead, forwarded: readonly string[]): string {
  let key = path;
  for (const name of forwarded) {
    const value = headers[name];
    if (value !== undefined) key += `\n${name}: ${value}`;
  }
  return key;
}

function newHead(candidate: Candidate, codec: Codec, wire: WireHead): OutboundHead {
  const { upstream } = candidate;
  const profile = wireProfiles[codec.name];
  const forwarded = profile.forwardedHeaders.filter((name) => wire.headers[name] !== undefined);
  return {
    codec,
    url: `${upstream.endpoints[codec.name]}${wire.path}${queryOf(profile.search(wire.path))}`,
    headers: {
      ...profile.headers(upstream),
      ...Object.fromEntries(forwarded.map((name) => [name, wire.headers[name]])),
      ...authHeaders(candidate, codec),
    },
  };
}

function queryOf(search: Readonly<Record<string, string>>): string {
  return Object.keys(search).length > 0 ? `?${new URLSearchParams(search)}` : "";
}

function authHeaders(
  { upstream, credential }: Candidate,
  codec: Codec,
): Readonly<Record<string, string>> {
  const { auth, credentialsFault, id } = upstream;
  if (credentialsFault) {
    throw new GatewayError("no_upstream", `Cannot decrypt the credentials of upstream ${id}`);
  }
  if (!credential) return {};
  return auth
    ? { [auth.header]: `${auth.prefix ?? ""}${credential.secret}` }
    : wireProfiles[codec.name].authHeaders(credential.secret);
}
