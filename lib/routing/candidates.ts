import { hash } from "node:crypto";
import { BoundedMap } from "../bounded_map.ts";
import { type FormatName, formatNames } from "../canonical/mod.ts";
import {
  hasListed,
  servesGroup,
  type UpstreamList,
  type UpstreamModel,
  upstreamNameOf,
} from "../store/catalog/mod.ts";
import { matchesPattern, patternSpecificity } from "../store/mod.ts";
import { credentialsOf } from "../upstreams/mod.ts";
import { speaks } from "../upstreams/surfaces/mod.ts";
import type { Candidate, Upstream } from "../upstreams/upstream.ts";
import type { HealthView } from "./health.ts";
import { type HealthStatus, type ObservedHealth, rankOf } from "./health_status.ts";

/** The call to find candidates for: its model, its format and the group of its key. */
export interface RouteQuery {
  readonly model: string;
  readonly format: FormatName;
  readonly groupId: string;
  /** True if the model is a member of a virtual one: candidates then name it. */
  readonly isMember?: true;
  /** Returns the same for all turns of one conversation. Called only if there is a choice. */
  readonly conversation?: () => string | undefined;
}

/** The current state that the choice depends on. */
export interface Circumstances {
  readonly health: HealthView;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Returns numbers in [0, 1). */
  readonly random: () => number;
  /** The upstreams' own model lists by upstream id; absent: unknown. */
  readonly lists?: ReadonlyMap<string, UpstreamList>;
  /** Among upstreams of one priority, lower numbers are tried first; absent: all are equal. */
  readonly preference?: ((candidate: Candidate) => number) | undefined;
}

/**
 * The ways to answer a call to a model for a group, one for each credential, in the order to try
 * them: healthy candidates first, then paused ones, then those with an open breaker. Within these,
 * upstreams known to have the model precede those that serve anything but do not list it; then the
 * caller's own format, then the higher priority, then the preferred one, then chance by weight,
 * which observed latency and errors lower. The turns of a conversation always draw the same, so that they find the prompt
 * cache of the first turn. Pure.
 */
export function candidatesFor(
  query: RouteQuery,
  upstreams: readonly Upstream[],
  circumstances: Circumstances,
): readonly Candidate[] {
  const able = ableFor(query, upstreams, circumstances.lists);
  if (able.length < 2) return able;
  return ranked(able, query, circumstances).map(({ candidate }) => candidate);
}

/** Candidates by query, in the order of the upstreams, for one state of the models' lists. */
interface Able {
  readonly lists: Circumstances["lists"];
  readonly byQuery: BoundedMap<string, readonly Candidate[]>;
}

/** Kept until the upstreams or their lists change. */
const keptAble = new WeakMap<readonly Upstream[], Able>();
const queriesMax = 10_000;

/** The candidates of a query, unordered. Equal queries get the same objects. */
function ableFor(
  query: RouteQuery,
  upstreams: readonly Upstream[],
  lists: Circumstances["lists"],
): readonly Candidate[] {
  const known = keptAble.get(upstreams);
  const { byQuery } = known && known.lists === lists ? known : keepAble(upstreams, lists);
  const { model, format, groupId, isMember } = query;
  return byQuery.getOrInsert(
    `${format} ${groupId} ${isMember ? "\n" : ""}${model}`, // no model's name has a line break
    () =>
      upstreams.flatMap((upstream) => {
        const served = servedFor(upstream, query);
        if (served.type !== "served") return [];
        const isGuess = isGuessed(upstream, served.model, { model, lists });
        return waysOf(upstream, served.model, { ...query, isGuess });
      }),
  );
}

function keepAble(upstreams: readonly Upstream[], lists: Circumstances["lists"]): Able {
  const kept: Able = { lists, byQuery: new BoundedMap(queriesMax) };
  keptAble.set(upstreams, kept);
  return kept;
}

/** An upstream's answer to a query: the model that it serves, or the reason why it serves none. */
export type ServedOrReason =
  | { readonly type: "served"; readonly model: UpstreamModel }
  | { readonly type: "disabled" | "credentials" | "group" | "model" };

export function servedFor(upstream: Upstream, { model, groupId }: RouteQuery): ServedOrReason {
  if (upstream.credentialsFault !== undefined) return { type: "credentials" };
  if (!upstream.enabled) return { type: "disabled" };
  if (!servesGroup(upstream, groupId)) return { type: "group" };
  const served = servedModel(upstream, model);
  return served ? { type: "served", model: served } : { type: "model" };
}

/** The most specific pattern wins, so that `*` never shadows a mapped name. */
function servedModel({ models }: Upstream, model: string): UpstreamModel | undefined {
  return models.filter(({ id }) => matchesPattern(id, model))
    .sort((a, b) => patternSpecificity(b.id) - patternSpecificity(a.id))[0];
}

/** Returns true if an upstream serves the model only through `*`. */
function isGuessed(
  { id }: Upstream,
  served: UpstreamModel,
  { model, lists }: Pick<RouteQuery, "model"> & Pick<Circumstances, "lists">,
): boolean {
  if (served.id !== "*" || served.upstreamModel !== undefined) return false;
  const list = lists?.get(id);
  return list === undefined || !hasListed(list, model);
}

/** One candidate for each credential, or a single one for an upstream that needs none. */
function waysOf(
  upstream: Upstream,
  served: UpstreamModel,
  { model, format, isGuess, isMember }: RouteQuery & { readonly isGuess: boolean },
): Candidate[] {
  const upstreamModel = upstreamNameOf(served, model);
  const spoken = formatAt(upstream, { format, model: upstreamModel });
  const way: Candidate = {
    upstream,
    upstreamModel,
    ...(isMember && { model }),
    ...(spoken && { format: spoken }),
    ...(isGuess && { isGuess }),
  };
  const credentials = credentialsOf(upstream);
  return credentials.length === 0
    ? [way]
    : credentials.map((credential) => ({ ...way, credential }));
}

/** The format to call a model in: the caller's if the upstream has it for this model, else its first. */
function formatAt(
  upstream: Upstream,
  { format, model }: Pick<RouteQuery, "format" | "model">,
): FormatName | undefined {
  const isSpoken = (name: FormatName) =>
    upstream.endpoints[name] !== undefined && speaks(upstream, name, model);
  return isSpoken(format) ? format : formatNames.find(isSpoken);
}

interface Ranked {
  readonly candidate: Candidate;
  readonly status: HealthStatus;
  readonly isNative: boolean;
  readonly preference: number;
  /** Equal for all credentials of one upstream. */
  readonly upstreamDraw: number;
  readonly credentialDraw: number;
}

function ranked(
  able: readonly Candidate[],
  query: RouteQuery,
  circumstances: Circumstances,
): Ranked[] {
  const conversation = query.conversation?.();
  const isSteady = conversation !== undefined;
  const fraction = isSteady ? fractionsOf(conversation) : circumstances.random;
  const draws = upstreamDraws(able, isSteady, { ...circumstances, fraction });
  return able.map((candidate) => ({
    candidate,
    status: circumstances.health.status(candidate, circumstances.nowMs),
    isNative: candidate.format === query.format,
    preference: circumstances.preference?.(candidate) ?? 0,
    upstreamDraw: draws.get(candidate.upstream.id) ?? 0,
    credentialDraw: candidate.credential
      ? fraction(`${candidate.upstream.id} ${candidate.credential.id}`)
      : 0,
  })).sort((a, b) =>
    rankOf(a.status) - rankOf(b.status) ||
    Number(a.candidate.isGuess ?? false) - Number(b.candidate.isGuess ?? false) ||
    Number(b.isNative) - Number(a.isNative) ||
    b.candidate.upstream.priority - a.candidate.upstream.priority ||
    a.preference - b.preference ||
    b.upstreamDraw - a.upstreamDraw ||
    b.credentialDraw - a.credentialDraw
  );
}

/** One draw for each upstream, regardless of its number of credentials. */
function upstreamDraws(
  able: readonly Candidate[],
  isSteady: boolean,
  { health, nowMs, fraction }: Circumstances & { readonly fraction: (name: string) => number },
): ReadonlyMap<string, number> {
  const seen = able.map((candidate) => ({
    candidate,
    observed: health.observed(candidate, nowMs),
  }));
  const draws = new Map<string, number>();
  for (const { candidate: { upstream, ...way }, observed } of seen) {
    if (draws.has(upstream.id)) continue;
    const peers = seen.filter(({ candidate }) =>
      candidate.upstream.priority === upstream.priority && candidate.format === way.format
    );
    const fastest = Math.min(...peers.map((peer) => peer.observed.firstByteMs ?? Infinity));
    const factor = observedFactor(observed, fastest);
    const lowered = isSteady ? steadyFactor(factor) : factor;
    draws.set(upstream.id, weightedDraw(upstream.weight * lowered, fraction(upstream.id)));
  }
  return draws;
}

/** Sorting by u^(1/w) draws without replacement in proportion to the weights (Efraimidis and Spirakis, 2006). */
function weightedDraw(weight: number, fraction: number): number {
  return weight > 0 ? fraction ** (1 / weight) : -1;
}

/**
 * A function from names to numbers in [0, 1), which are the same for every turn of a conversation.
 */
export function fractionsOf(conversation: string): (name: string) => number {
  const digest = hash("sha256", conversation, "hex");
  const high = Number.parseInt(digest.slice(0, 8), 16);
  const low = Number.parseInt(digest.slice(8, 16), 16);
  return (name) => (mixed(name, high) * 2 ** 21 + (mixed(name, low) >>> 11)) / 2 ** 53;
}

/** 32 bits of a text and a seed, well mixed (FNV-1a with the finish of MurmurHash3). */
function mixed(text: string, seed: number): number {
  let bits = seed;
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The minimum share of its weight that an upstream keeps, so that a recovery is noticed. */
const factorMin = 0.1;

/** Smaller differences in latency hardly matter. */
const latencyGrainMs = 100;

/**
 * The factor that lowers an upstream's weight: the success share squared, times the square root of
 * its latency against its fastest peer's. Four times the latency halves it.
 */
function observedFactor({ firstByteMs, errorShare }: ObservedHealth, fastestMs: number): number {
  const answering = (1 - errorShare) ** 2;
  const ratio = firstByteMs === undefined
    ? 1
    : (fastestMs + latencyGrainMs) / (firstByteMs + latencyGrainMs);
  return Math.max(factorMin, answering * Math.sqrt(Math.min(1, ratio)));
}

/** A conversation keeps its upstream, and so its prompt cache, down to this factor. */
const steadyMin = 0.5;

function steadyFactor(factor: number): number {
  return factor >= steadyMin ? 1 : factorMin;
}
