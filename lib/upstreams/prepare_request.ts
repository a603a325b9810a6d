import { BoundedMap } from "../bounded_map.ts";
import {
  changedError,
  GatewayError,
  type JsonObject,
  type Note,
  repairTurns,
  sealedState,
} from "../canonical/mod.ts";
import type { PriceTerms } from "../formats/billing.ts";
import type { Codec, Dialect } from "../formats/codec.ts";
import { codecs } from "../formats/mod.ts";
import type { MemberChanges, StateCodec } from "../formats/state_codec.ts";
import type { WireRequest } from "../formats/wire.ts";
import type { Call } from "../http/call.ts";
import { type Decoded, isSaidTwice, modelNamedTwice } from "../http/decode.ts";
import type { Rewrite } from "../http/stream/transcoder.ts";
import {
  atOnceMax,
  lengthOf,
  longJson,
  matchesIn,
  searchedText,
  withReadMembers,
} from "../json/mod.ts";
import { atOnce, Pace, type Steps } from "../pace.ts";
import type { ContinuationMemory } from "./continuation_memory.ts";
import { type CredentialSource, readCredentialSource } from "./credentials/source.ts";
import { emulatedStops } from "./emulated_stops.ts";
import { dialectOf, isOfVendor } from "./presets/mod.ts";
import type { Outbound } from "./send.ts";
import { atCloud, ofCloud } from "./surfaces/at_cloud.ts";
import { surfaceAuth, surfaceHeaders } from "./surfaces/mod.ts";
import { type Candidate, wireProfiles } from "./upstream.ts";

/** A call, and the candidate that its request is sent to. */
export interface AttemptedCall {
  readonly candidate: Candidate;
  readonly call: Call;
  readonly decoded: Decoded;
}

interface Proofs {
  readonly memory: ContinuationMemory;
  readonly accountId: string;
}

/** A request that is ready to be sent. */
export interface Prepared {
  readonly codec: Codec;
  readonly outbound: Outbound;
  /** Losses and changes of its conversion. */
  readonly notes: readonly Note[];
  /** The request members that change its price. */
  readonly terms: PriceTerms;
  /** Rewrites the events of its answer. */
  readonly rewrite?: Rewrite;
}

/**
 * The request to a candidate. In the caller's own format the body's text is passed through, but for
 * the members that must change; otherwise it is converted. So is a body with state that this gateway
 * sealed, which its vendor never saw. Refusals are marked as unsent.
 */
export function prepareRequest(asked: AttemptedCall, proofs: Proofs): Prepared | Promise<Prepared> {
  try {
    const preparing = passedOnOrConverted(asked, proofs);
    return preparing instanceof Promise ? preparing.catch(throwUnsent) : preparing;
  } catch (thrown) {
    return throwUnsent(thrown);
  }
}

function passedOnOrConverted(asked: AttemptedCall, proofs: Proofs): Prepared | Promise<Prepared> {
  const { candidate: { upstream, format }, call, decoded: { read } } = asked;
  if (!format) throw new GatewayError("no_upstream", `Upstream ${upstream.id} has no base URL`);
  const codec = codecs[format];
  if (format !== call.codec.name) return converted(asked, codec, proofs);
  if (lengthOf(read) > atOnceMax) return longPassedOn(asked, codec, proofs);
  return sealedState.test(searchedText(read))
    ? converted(asked, codec, proofs)
    : passedOn(asked, codec);
}

async function longPassedOn(asked: AttemptedCall, codec: Codec, proofs: Proofs): Promise<Prepared> {
  const found = await matchesIn(asked.decoded.read, [sealedState], new Pace());
  return found === "" ? passedOn(asked, codec) : await converted(asked, codec, proofs);
}

function converted(
  asked: AttemptedCall,
  codec: Codec,
  proofs: Proofs,
): Prepared | Promise<Prepared> {
  const { candidate, decoded } = asked;
  if (lengthOf(decoded.read) > atOnceMax) return longConverted(asked, codec, proofs);
  const { wire, ...rest } = atOnce(encodingSteps(asked, codec, proofs));
  const body = JSON.stringify(wire.body);
  return { ...rest, outbound: outboundOf(candidate, codec, { wire, body }) };
}

/** The same for a long body, with turns for other work. */
async function longConverted(
  asked: AttemptedCall,
  codec: Codec,
  proofs: Proofs,
): Promise<Prepared> {
  const pace = new Pace();
  await pace.turn();
  asked.decoded.canonical();
  await pace.turn();
  const { wire, ...rest } = await pace.through(encodingSteps(asked, codec, proofs));
  const body = await longJson(wire.body, pace, lengthOf(asked.decoded.read));
  return { ...rest, outbound: outboundOf(asked.candidate, codec, { wire, body }) };
}

/** The native pass-through: keeps the text of the body, including unknown fields. */
function passedOn({ candidate, call, decoded }: AttemptedCall, codec: Codec): Prepared {
  const { statedCost } = codec;
  const { wire, read, envelope, terms = {} } = decoded;
  const foreign = foreignChanges(candidate, codec, wire.body);
  const cloud = ofCloud(candidate, codec, wire);
  const kept = decoded.seals ? keptMembers(candidate, codec, { ...decoded, foreign }) : unchanged;
  const inPath = call.endpoint.path.includes("{model}");
  if (!inPath && isSaidTwice(read, "model")) throw modelNamedTwice();
  const mapped = !inPath && candidate.upstreamModel !== envelope.model;
  const changed = withReadMembers(read, {
    ...(mapped && { model: candidate.upstreamModel }),
    ...(envelope.stream && codec.meteredStream?.members(wire.body, dialectFor(candidate, codec))),
    ...foreign,
    ...kept.members,
    ...cloud?.members,
    // meant for the gateway only
    ...(statedCost && wire.body[statedCost.member] !== undefined &&
      { [statedCost.member]: undefined }),
  });
  const sent = inPath ? withModelInPath(wire, pathName(candidate, envelope.model)) : cloud ?? wire;
  const outbound = outboundOf(candidate, codec, {
    wire: sent,
    body: changed.bytes ?? changed.text,
  });
  return { codec, outbound, notes: cloud ? [...kept.notes, ...cloud.notes] : kept.notes, terms };
}

/** The body changes for an upstream of another vendor than the format's. */
function foreignChanges({ upstream }: Candidate, codec: Codec, body: JsonObject): MemberChanges {
  if (!codec.forOtherVendor || isOfVendor(upstream, codec.name)) return noChanges;
  return codec.forOtherVendor(body);
}

const noChanges: MemberChanges = {};

/** The body changes for this upstream that the gateway's stored state requires. */
function keptMembers(
  { upstream, upstreamModel }: Candidate,
  { state }: Codec,
  { wire, seals, foreign }: Decoded & { readonly foreign: MemberChanges },
): ReturnType<StateCodec["forUpstream"]> {
  if (!seals || !state) return unchanged;
  const isForeign = (seal: string) => (seals.get(seal) ?? upstream.id) !== upstream.id;
  return state.forUpstream({ ...wire.body, ...foreign }, { model: upstreamModel, isForeign });
}

const unchanged: ReturnType<StateCodec["forUpstream"]> = { members: {}, notes: [] };

/** The upstream's dialect of the format, from its preset and its configuration. */
export function dialectFor({ upstream }: Candidate, { name }: Codec): Dialect | undefined {
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

function* encodingSteps(
  { candidate, decoded }: AttemptedCall,
  codec: Codec,
  { memory, accountId }: Proofs,
): Steps<Omit<Prepared, "outbound"> & { readonly wire: WireRequest }> {
  const whole = memory.restored(accountId, decoded.canonical());
  yield;
  const { request, notes: repairs } = repairTurns(whole, codec.name);
  yield;
  const { upstreamModel: model } = candidate;
  const sent = request.model === model ? request : { ...request, model };
  const encoding = yield* codec.encodeRequest(sent, dialectFor(candidate, codec));
  const { notes, rewrite } = emulatedStops(request, encoding.notes);
  const { wire: said } = encoding;
  const foreign = foreignChanges(candidate, codec, said.body);
  const own = foreign === noChanges ? said : { ...said, body: { ...said.body, ...foreign } };
  const cloud = atCloud(candidate, codec, own);
  const wire = cloud?.wire ?? own;
  return {
    codec,
    wire,
    notes: repairs.length === 0 && !cloud ? notes : [...repairs, ...notes, ...cloud?.notes ?? []],
    terms: codec.billing.terms(wire.body),
    ...(rewrite && { rewrite }),
  };
}

/** The part of a request from which the outbound one's address and headers are made. */
type WireHead = Pick<WireRequest, "path" | "headers">;

/** Builds the outbound request to a candidate from a request in a codec's format. */
export function outboundOf(
  candidate: Candidate,
  codec: Codec,
  { wire, body }: { readonly wire: WireHead; readonly body: string | Uint8Array<ArrayBuffer> },
): Outbound {
  const { url, headers, source } = headOf(candidate, codec, wire);
  const { origin } = candidate.upstream;
  return source ? { url, headers, origin, body, source } : { url, headers, origin, body };
}

interface OutboundHead extends Pick<Outbound, "url" | "headers" | "source"> {
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
  const { upstream, credential } = candidate;
  const source = credential && readCredentialSource(credential.secret);
  const profile = wireProfiles[codec.name];
  const forwarded = profile.forwardedHeaders.filter((name) => wire.headers[name] !== undefined);
  return {
    codec,
    url: `${upstream.endpoints[codec.name]}${wire.path}${queryOf(profile.search(wire.path))}`,
    headers: {
      ...profile.headers(upstream),
      ...surfaceHeaders(upstream),
      ...Object.fromEntries(forwarded.map((name) => [name, wire.headers[name]])),
      ...authHeaders(candidate, codec, source),
    },
    ...(source && { source: { source, secret: credential.secret, upstream } }),
  };
}

function queryOf(search: Readonly<Record<string, string>>): string {
  return Object.keys(search).length > 0 ? `?${new URLSearchParams(search)}` : "";
}

function authHeaders(
  { upstream, credential }: Candidate,
  codec: Codec,
  source: CredentialSource | undefined,
): Readonly<Record<string, string>> {
  const { auth = surfaceAuth(upstream), credentialsFault, id } = upstream;
  if (credentialsFault) {
    throw new GatewayError("no_upstream", `Cannot decrypt the credentials of upstream ${id}`);
  }
  if (!credential || source) return {}; // a source authorizes the request when it is sent
  return auth
    ? { [auth.header]: `${auth.prefix ?? ""}${credential.secret}` }
    : wireProfiles[codec.name].authHeaders(credential.secret);
}

/** Marks a refusal by work that comes before the request is sent: no upstream is to blame for it. */
export function beforeSending<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    return throwUnsent(thrown);
  }
}

/** The same for work that takes turns. */
function throwUnsent(thrown: unknown): never {
  throw thrown instanceof GatewayError ? changedError(thrown, { unsent: true }) : thrown;
}
