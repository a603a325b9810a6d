import {
  type CacheMark,
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
} from "../../canonical/mod.ts";
import { encodeCacheOptions, type FittedLifetime, fittedLifetime } from "../request/cache.ts";
import { textOrNothing } from "../wire_value.ts";
import { mark, ownFields } from "./native.ts";
import type { RequestContext } from "./request_context.ts";

/** Lifetimes of a breakpoint in this format (2026-11). */
const lifetimes = ["30m", "12h"] as const;

export function decodeCache({ prompt_cache_breakpoint: value }: JsonObject): { cache?: CacheMark } {
  if (!isJsonObject(value)) return {};
  const ttl = textOrNothing(value.ttl);
  return { cache: { ...(ttl !== undefined && { ttl }), ...mark(value) } };
}

export function encodeCache(cache: CacheMark | undefined): JsonObject {
  if (!cache) return {};
  const own = ownFields(cache);
  if (own) return { prompt_cache_breakpoint: own };
  const ttl = lifetimeOf(cache)?.ttl;
  return { prompt_cache_breakpoint: { mode: "explicit", ...(ttl !== undefined && { ttl }) } };
}

/** The lifetime of a breakpoint from another format; undefined if it states none. */
export function lifetimeOf({ ttl, ...cache }: CacheMark): FittedLifetime<string> | undefined {
  return ttl === undefined || ownFields(cache) ? undefined : fittedLifetime(ttl, lifetimes);
}

export function withBreakpoint(part: JsonObject, cache: CacheMark | undefined): JsonObject {
  return cache ? { ...part, ...encodeCache(cache) } : part;
}

/** `prompt_cache_options` for a caller of another format. */
export function encodeCaching(
  request: CanonicalRequest,
  { own, notes }: RequestContext,
): JsonObject | undefined {
  if (own) return undefined;
  const { options, isShorter } = encodeCacheOptions(request, lifetimes);
  if (isShorter) notes.add("cacheTtl", "cache.ttl");
  return options;
}
