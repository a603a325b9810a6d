import {
  type CacheMark,
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../canonical/mod.ts";
import { takesMember } from "../codec.ts";
import { encodeCacheOptions, fittedLifetime, unwarmable } from "../request/cache.ts";
import { isEmpty, textOrNothing } from "../wire_value.ts";
import { format, ownFields } from "./native.ts";
import type { RequestContext } from "./request_context.ts";

/** The members that mark a breakpoint: the vendor's own, and the one that routers adopted from another format. */
export const cacheMembers = ["prompt_cache_breakpoint", "cache_control"];

export function decodeCache(wire: JsonObject): { cache?: CacheMark } {
  const { prompt_cache_breakpoint: breakpoint, cache_control: control } = wire;
  const fields = {
    ...(isMark(breakpoint) && { prompt_cache_breakpoint: breakpoint }),
    ...(isMark(control) && { cache_control: control }),
  };
  const marks = Object.values(fields);
  if (marks.length === 0) return {};
  const ttl = marks.map((mark) => textOrNothing(mark.ttl)).find((found) => found !== undefined);
  return { cache: { ...(ttl !== undefined && { ttl }), native: { format, fields } } };
}

function isMark(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && !isEmpty(value);
}

/** A breakpoint of this format has a lifetime of exactly thirty minutes (2026-11). */
const lifetimes = ["30m"] as const;

export function encodeCache(
  cache: CacheMark | undefined,
  path: string,
  { notes }: RequestContext,
): JsonObject {
  if (!cache) return {};
  const own = ownFields(cache);
  if (own) return own;
  const fitted = cache.ttl === undefined ? undefined : fittedLifetime(cache.ttl, lifetimes);
  if (fitted?.isShorter) notes.add("cacheTtl", `${path}.cache.ttl`);
  return { prompt_cache_breakpoint: { mode: "explicit", ...(fitted && { ttl: fitted.ttl }) } };
}

/**
 * `prompt_cache_options` for a caller of another format. Throws if the server would answer a call
 * that only fills the cache.
 */
export function encodeCaching(
  request: CanonicalRequest,
  { dialect, own, notes }: RequestContext,
): JsonObject | undefined {
  if (own || !(request.cache || request.caching)) return undefined;
  const takes = dialect?.cacheBreakpoints !== false && takesMember(dialect, "prompt_cache_options");
  if (request.caching?.prewarm && !takes) throw unwarmable("this upstream has no prompt cache");
  const { options, isShorter } = encodeCacheOptions(request, lifetimes);
  if (isShorter) notes.add("cacheTtl", "cache.ttl");
  return takes ? options : undefined;
}
