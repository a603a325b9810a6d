import {
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../canonical/mod.ts";
import { listOf, objectsOf, textOf } from "../wire_value.ts";
import type { RequestContext } from "./request_context.ts";

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
  { automaticCaching, cacheMarks, instruction }: RequestContext & { readonly instruction?: string },
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
