import { type CacheMark, isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import { mark, ownFields } from "./native.ts";

export function decodeCache({ prompt_cache_breakpoint: value }: JsonObject): { cache?: CacheMark } {
  return isJsonObject(value) ? { cache: mark(value) } : {};
}

export function encodeCache(cache: CacheMark | undefined): JsonObject {
  if (!cache) return {};
  return { prompt_cache_breakpoint: ownFields(cache) ?? { mode: "explicit" } };
}

export function withBreakpoint(part: JsonObject, cache: CacheMark | undefined): JsonObject {
  return cache ? { ...part, ...encodeCache(cache) } : part;
}
