import {
  type CacheMark,
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type Part,
} from "../../canonical/mod.ts";
import { keep, ownFields } from "./native.ts";
import type { RequestContext } from "./request_context.ts";
import { restOf } from "../wire_value.ts";

/** `cache_control`; its further keys, such as `scope`, are kept for this format alone. */
export function decodeCache(value: unknown): { cache?: CacheMark } {
  if (!isJsonObject(value)) return {};
  const { type, ttl } = value;
  return {
    cache: {
      ...(typeof ttl === "string" && { ttl }),
      ...keep(restOf(value, type === "ephemeral" ? ["type", "ttl"] : ["ttl"])),
    },
  };
}

/** The breakpoint of the value at `path` (none for the request's own), where it has one and the vendor takes so many. */
export function encodeCache(
  cache: CacheMark | undefined,
  path: string,
  { own, notes, cacheMarks }: RequestContext,
): { cache_control?: JsonObject } {
  if (!cache || !(own || cacheMarks.has(cache))) return {};
  const ttl = own ? cache.ttl : lifetimeOf(cache.ttl);
  if (ttl !== cache.ttl) notes.add("cacheTtl", path === "" ? "cache.ttl" : `${path}.cache.ttl`);
  return {
    cache_control: { type: "ephemeral", ...ownFields(cache), ...(ttl !== undefined && { ttl }) },
  };
}

/** Lifetimes of other vendors are longer than five minutes. */
export function lifetimeOf(ttl: string | undefined): "5m" | "1h" | undefined {
  return ttl === undefined || ttl === "5m" ? ttl : "1h";
}

const cacheMarksMax = 4;

/**
 * The marks that fit: the last one of tools and instructions, which most requests share, and the
 * newest of the turns. The breakpoint that the vendor places itself takes one of the four.
 */
export function fittingCacheMarks(request: CanonicalRequest): {
  readonly marks: ReadonlySet<CacheMark>;
  readonly all: boolean;
} {
  const max = cacheMarksMax - (request.cache ? 1 : 0);
  const prefix = marksOf([...request.tools, ...request.instructions]);
  const turns = marksOf(request.turns.flatMap(({ parts }) => parts.flatMap(withInner)));
  const own = request.cache ? [request.cache] : [];
  if (prefix.length + turns.length <= max) {
    return { marks: new Set([...own, ...prefix, ...turns]), all: true };
  }
  const last = prefix.slice(-Math.max(1, max - turns.length));
  const newest = turns.slice(-(max - last.length));
  return { marks: new Set([...own, ...last, ...newest]), all: false };
}

function withInner(part: Part): Part[] {
  if (part.type === "reasoning") return [];
  return part.type === "tool-result" ? [...part.parts, part] : [part];
}

function marksOf(values: readonly { readonly cache?: CacheMark }[]): CacheMark[] {
  return values.flatMap(({ cache }) => cache ? [cache] : []);
}
