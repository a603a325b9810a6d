import {
  type CacheMark,
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type Part,
  type Tool,
} from "../../canonical/mod.ts";
import { type FittedLifetime, fittedLifetime } from "../request/cache_lifetime.ts";
import { isEmpty, restOf } from "../wire_value.ts";
import { keep, ownFields } from "./native.ts";
import type { Notes } from "./notes.ts";

/** `cache_control`; its other members, such as `scope`, are kept for this format alone. */
export function decodeCache(value: unknown): { cache?: CacheMark } {
  if (!isJsonObject(value) || isEmpty(value)) return {};
  const { type, ttl } = value;
  return {
    cache: {
      ...(typeof ttl === "string" && { ttl }),
      ...keep(restOf(value, type === "ephemeral" ? ["type", "ttl"] : ["ttl"])),
    },
  };
}

/** The data of a request's encoding that its breakpoints depend on. */
export interface CacheContext {
  readonly notes: Notes;
  /** True if the request was written in this format: then nothing of it is changed. */
  readonly own: boolean;
  /** The breakpoints to write; the vendor accepts only a few. */
  readonly cacheMarks: CacheMarks;
}

/**
 * The breakpoint of the value at `path` (empty for the request's own), if it has one that fits the
 * vendor's limit.
 */
export function encodeCache(
  cache: CacheMark | undefined,
  path: string,
  { own, notes, cacheMarks }: CacheContext,
): { cache_control?: JsonObject } {
  if (!cache || !(own || cacheMarks.has(cache))) return {};
  const fitted = own ? undefined : cacheMarks.get(cache);
  const ttl = own ? cache.ttl : fitted?.ttl;
  if (fitted?.isShorter) notes.add("cacheTtl", path === "" ? "cache.ttl" : `${path}.cache.ttl`);
  return {
    cache_control: { type: "ephemeral", ...ownFields(cache), ...(ttl !== undefined && { ttl }) },
  };
}

/** Lifetimes of a breakpoint; default: five minutes. */
const lifetimes = ["5m", "1h"] as const;
type Lifetime = FittedLifetime<typeof lifetimes[number]>;

/** The breakpoints to write, each with its stated lifetime. */
type CacheMarks = ReadonlyMap<CacheMark, Lifetime | undefined>;

const cacheMarksMax = 4;

/**
 * The breakpoints that fit: the last ones of tools and instructions, which most requests share, and
 * the newest of the turns. The breakpoint that the vendor sets itself takes one of the four.
 */
export function fittingCacheMarks(request: CanonicalRequest): {
  readonly marks: CacheMarks;
  readonly all: boolean;
} {
  const max = cacheMarksMax - (request.cache ? 1 : 0);
  const prefix: CacheMark[] = [];
  addMarks(request.tools, prefix);
  addMarks(request.instructions, prefix);
  const turns: CacheMark[] = [];
  for (const { parts } of request.turns) addMarks(parts, turns);
  const own = request.cache ? [request.cache] : [];
  if (prefix.length + turns.length <= max) {
    return { marks: withLifetimes([...prefix, ...turns, ...own], request), all: true };
  }
  const last = prefix.slice(-Math.max(1, max - turns.length));
  const newest = turns.slice(-(max - last.length));
  return { marks: withLifetimes([...last, ...newest, ...own], request), all: false };
}

/** The lifetimes in the prompt's order: the vendor refuses a longer one after a shorter one. */
function withLifetimes(marks: readonly CacheMark[], { caching }: CanonicalRequest): CacheMarks {
  const lives = new Map<CacheMark, Lifetime | undefined>();
  let isLong = false;
  for (const mark of marks.toReversed()) {
    const ttl = mark.ttl ?? caching?.ttl;
    const life = ttl === undefined ? undefined : fittedLifetime(ttl, lifetimes);
    isLong ||= life?.ttl === "1h";
    lives.set(mark, isLong ? { ttl: "1h", isShorter: life?.isShorter ?? false } : life);
  }
  return lives;
}

/** Adds the breakpoints of tools or parts, in their order. Reasoning cannot have one here. */
function addMarks(values: readonly (Part | Tool)[], marks: CacheMark[]): void {
  for (const value of values) {
    if (value.type === "tool-result") addMarks(value.parts, marks);
    if (value.cache && value.type !== "reasoning") marks.push(value.cache);
  }
}

/** Reduces a request that only fills the cache: the vendor refuses members that affect the answer. */
export function withoutAnswer(
  request: CanonicalRequest,
  { own }: CacheContext,
): CanonicalRequest {
  if (own || !request.caching?.prewarm) return request;
  const { output: _, toolChoice, reasoning: __, ...rest } = request;
  const isForced = toolChoice?.type === "any" || toolChoice?.type === "tool";
  return { ...rest, stream: false, ...(toolChoice && !isForced && { toolChoice }) };
}
