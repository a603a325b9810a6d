import { type CacheMark, isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import { format, ownFields } from "./native.ts";
import type { RequestContext } from "./request_context.ts";
import { textOrNothing } from "../wire_value.ts";

/** The members that mark a breakpoint: the vendor's own, and the one that routers took over from another format. */
export const cacheMembers = ["prompt_cache_breakpoint", "cache_control"];

export function decodeCache(wire: JsonObject): { cache?: CacheMark } {
  const { prompt_cache_breakpoint: breakpoint, cache_control: control } = wire;
  const fields = {
    ...(isJsonObject(breakpoint) && { prompt_cache_breakpoint: breakpoint }),
    ...(isJsonObject(control) && { cache_control: control }),
  };
  const marks = Object.values(fields);
  if (marks.length === 0) return {};
  const ttl = marks.map((mark) => textOrNothing(mark.ttl)).find((found) => found !== undefined);
  return { cache: { ...(ttl !== undefined && { ttl }), native: { format, fields } } };
}

const lifetimes: ReadonlySet<string> = new Set(["30m", "12h"]);

export function encodeCache(
  cache: CacheMark | undefined,
  path: string,
  { notes }: RequestContext,
): JsonObject {
  if (!cache) return {};
  const own = ownFields(cache);
  if (own) return own;
  const kept = cache.ttl !== undefined && lifetimes.has(cache.ttl);
  if (cache.ttl !== undefined && !kept) notes.add("cacheTtl", `${path}.cache.ttl`);
  return { prompt_cache_breakpoint: { mode: "explicit", ...(kept && { ttl: cache.ttl }) } };
}
