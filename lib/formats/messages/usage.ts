import {
  isJsonObject,
  type JsonObject,
  noUsage,
  totalOutputTokens,
  type Usage,
} from "../../canonical/mod.ts";
import { mark, ownFields } from "./native.ts";
import { countOf, defined, objectOf, restOf } from "../wire_value.ts";

/**
 * The usage object. `input_tokens` leaves out what a cache served or stored, `output_tokens` holds
 * the thinking; writes that no lifetime is stated for live five minutes.
 */
export function decodeUsage(usage: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const split = objectOf(usage.cache_creation);
  const written1h = countOf(split.ephemeral_1h_input_tokens);
  const written5m = countOf(split.ephemeral_5m_input_tokens);
  const written = countOf(usage.cache_creation_input_tokens);
  const output = countOf(usage.output_tokens);
  const thinking = Math.min(output, countOf(objectOf(usage.output_tokens_details).thinking_tokens));
  return {
    ...noUsage,
    inputTokens: countOf(usage.input_tokens),
    cacheReadTokens: countOf(usage.cache_read_input_tokens),
    cacheWrite5mTokens: Math.max(written5m, written - written1h),
    cacheWrite1hTokens: written1h,
    outputTokens: output - thinking,
    reasoningTokens: thinking,
    hostedToolCalls: hostedToolCalls(objectOf(usage.server_tool_use)),
    ...mark(restOf(usage, bucketKeys)),
  };
}

/** A whole answer's usage object. */
export function encodeUsage(usage: Usage): JsonObject {
  const own = ownFields(usage);
  return defined({
    ...own,
    ...encodeDeltaUsage(usage),
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite5mTokens,
      ephemeral_1h_input_tokens: usage.cacheWrite1hTokens,
    },
  });
}

/** The cumulative usage of a stream's end; the lifetimes of writes are said only where there are any. */
export function encodeDeltaUsage(usage: Usage): JsonObject {
  const own = ownFields(usage);
  const { cacheWrite5mTokens, cacheWrite1hTokens } = usage;
  return defined({
    input_tokens: usage.inputTokens + usage.audioInputTokens + usage.imageInputTokens,
    cache_creation_input_tokens: cacheWrite5mTokens + cacheWrite1hTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    ...(cacheWrite1hTokens > 0 && {
      cache_creation: {
        ephemeral_5m_input_tokens: cacheWrite5mTokens,
        ephemeral_1h_input_tokens: cacheWrite1hTokens,
      },
    }),
    output_tokens: totalOutputTokens(usage),
    output_tokens_details: outputDetails(usage, own),
    server_tool_use: serverToolUse(usage, own),
  });
}

/** What a message is opened with while nothing is known: the vendor never says less than one token of output. */
export const openingUsage: JsonObject = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 1,
};

/** A stream states its usage more than once, always in full: what is stated later replaces, it never adds. */
export function mergedUsage(earlier: JsonObject, later: unknown): JsonObject {
  return { ...earlier, ...restOf(objectOf(later), []) };
}

/** Whether a usage object of a stream's end says how long the answer is; at its start there is only a placeholder. */
export function statesOutput(usage: unknown): boolean {
  return countOf(objectOf(usage).output_tokens) > 0;
}

const bucketKeys = [
  "input_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "cache_creation",
  "output_tokens",
];

function outputDetails({ reasoningTokens }: Usage, own: JsonObject | undefined) {
  const details = objectOf(own?.output_tokens_details);
  if (own && reasoningTokens === 0 && own.output_tokens_details === undefined) return undefined;
  return { ...details, thinking_tokens: reasoningTokens };
}

/** Which hosted tools the usage counts, by their canonical kind. */
const hostedKinds = [
  { kind: "web-search", key: "web_search_requests" },
  { kind: "url-fetch", key: "web_fetch_requests" },
] as const;

function hostedToolCalls(wire: JsonObject): Record<string, number> {
  return Object.fromEntries(
    hostedKinds.map(({ kind, key }) => [kind, countOf(wire[key])] as const)
      .filter(([, count]) => count > 0),
  );
}

function serverToolUse({ hostedToolCalls: calls }: Usage, own: JsonObject | undefined) {
  if (isJsonObject(own?.server_tool_use)) return own.server_tool_use;
  if (!hostedKinds.some(({ kind }) => (calls[kind] ?? 0) > 0)) return undefined;
  return Object.fromEntries(hostedKinds.map(({ kind, key }) => [key, calls[kind] ?? 0]));
}
