import {
  type CacheMark,
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Part,
  type Tool,
} from "../../canonical/mod.ts";
import { type FittedLifetime, fittedLifetime } from "../request/cache.ts";
import { isEmpty, listOf, objectsOf, restOf, textOf } from "../wire_value.ts";
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
  /** True if breakpoints are set for a caller that set none. */
  readonly automaticCaching: boolean;
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

/** The facts that decide on the breakpoints of a request whose caller set none. */
interface AutomaticCache {
  /** The requested lifetime; default: the vendor's five minutes. */
  readonly ttl?: "5m" | "1h";
  /** True if the vendor itself sets a breakpoint at the end of the prompt. */
  readonly endIsMarked: boolean;
  /** True if the caller states that its calls share a prompt. */
  readonly isShared: boolean;
  /** The gateway's own text after the caller's system blocks; it may differ from call to call. */
  readonly instruction?: string;
}

/** Adds the gateway's breakpoints, if the caller set none and does not forbid them. */
export function withAutomaticBreakpoints(
  body: JsonObject,
  { cache, caching, cacheKey }: CanonicalRequest,
  { automaticCaching, cacheMarks, instruction }: CacheContext & { readonly instruction?: string },
): JsonObject {
  const isMarked = [...cacheMarks.keys()].some((mark) => mark !== cache);
  if (!automaticCaching || isMarked || caching?.onlyMarked) return body;
  return withBreakpoints(body, {
    ttl: cache && cacheMarks.get(cache)?.ttl,
    endIsMarked: cache !== undefined,
    isShared: cacheKey !== undefined || caching?.prewarm === true,
    instruction,
  });
}

/** No model stores a shorter prefix (2026-11: 1,024 to 4,096 tokens). */
const cacheableTokensMin = 1_024;
/** Even dense text has this many bytes per token. */
const bytesPerToken = 3;

/**
 * Sets up to four cache breakpoints: after the tools, the caller's system blocks, the last user
 * message and the one before it, where the previous call ended. A single question without tools may
 * never continue, so its message is cached only for callers that share prompts.
 */
function withBreakpoints(body: JsonObject, cache: AutomaticCache): JsonObject {
  const { tools, system, messages } = body;
  if (!isCacheable([tools, system, messages])) return body;
  const control: JsonObject = { type: "ephemeral", ...(cache.ttl && { ttl: cache.ttl }) };
  const list = objectsOf(messages);
  const goesOn = cache.isShared || cache.endIsMarked || listOf(tools).length > 0 ||
    list.some(({ role }) => role === "assistant");
  return {
    ...body,
    ...(tools !== undefined && { tools: withLastMarked(objectsOf(tools), takesMark, control) }),
    ...(system !== undefined && { system: markedSystem(system, cache, control) }),
    ...(goesOn && { messages: markedMessages(list, cache, control) }),
  };
}

/** Counts the bytes of the prompt's texts until the minimum is reached. */
function isCacheable(prompt: readonly (JsonValue | undefined)[]): boolean {
  let missing = cacheableTokensMin * bytesPerToken;
  const waiting: (JsonValue | undefined)[] = [...prompt];
  while (waiting.length > 0 && missing > 0) {
    const value = waiting.pop();
    if (typeof value === "string") missing -= bytesOf(value, missing);
    else if (Array.isArray(value)) { for (const inner of value) waiting.push(inner); }
    else if (isJsonObject(value)) { for (const name in value) waiting.push(value[name]); }
  }
  return missing <= 0;
}

/** The bytes of a text in UTF-8, or more than enough: a text that is long enough is not counted. */
function bytesOf(text: string, enough: number): number {
  let bytes = text.length;
  if (bytes >= enough || !beyondAscii.test(text)) return bytes;
  for (let at = 0; bytes < enough && at < text.length; at++) {
    bytes += extraBytes(text.charCodeAt(at));
  }
  return bytes;
}

const beyondAscii = /[\x80-\uffff]/;

/** The bytes of a UTF-16 unit beyond the first; half of a surrogate pair's four belong to each unit. */
function extraBytes(unit: number): number {
  if (unit < 0x80) return 0;
  return unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
}

function markedSystem(
  system: JsonValue,
  { instruction }: AutomaticCache,
  control: JsonObject,
): JsonValue {
  const isOwn = ({ text }: JsonObject) => textOf(text) !== instruction;
  return withLastMarked(blocksOf(system), isOwn, control);
}

/** Marks the last two messages of the user: the earlier one ended the prompt of the previous call. */
function markedMessages(
  messages: readonly JsonObject[],
  { endIsMarked }: AutomaticCache,
  control: JsonObject,
): JsonObject[] {
  const users = messages.flatMap(({ role }, index) => role === "user" ? [index] : []).slice(-2);
  const marked = new Set(endIsMarked ? users.slice(0, -1) : users);
  return messages.map((message, index) =>
    marked.has(index)
      ? { ...message, content: withLastMarked(blocksOf(message.content), takesMark, control) }
      : message
  );
}

function withLastMarked(
  blocks: readonly JsonObject[],
  takes: (block: JsonObject) => boolean,
  control: JsonObject,
): JsonObject[] {
  const last = blocks.findLastIndex(takes);
  return blocks.map((block, index) =>
    index === last ? { ...block, cache_control: control } : block
  );
}

/** The vendor refuses breakpoints on thinking, on empty text and on deferred tools. */
function takesMark({ type, text, defer_loading: isDeferred }: JsonObject): boolean {
  const isThought = type === "thinking" || type === "redacted_thinking";
  return !isThought && isDeferred !== true && !(type === "text" && textOf(text) === "");
}

function blocksOf(content: JsonValue | undefined): JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return [...objectsOf(content)];
}
