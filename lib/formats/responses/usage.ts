import {
  isJsonObject,
  type JsonObject,
  noUsage,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../../canonical/mod.ts";
import { keep, ownFields } from "./native.ts";
import { countOf, objectOf, objectsOf, restOf, textOf } from "../wire_value.ts";

/**
 * The usage of a response object, `undefined` where it states none. `input_tokens` holds cache
 * reads and writes, `output_tokens` holds reasoning: the buckets here are what is left of them.
 */
export function decodeUsage(response: JsonObject): Usage | undefined {
  const usage = response.usage;
  if (!isJsonObject(usage)) return undefined;
  const input = objectOf(usage.input_tokens_details);
  const output = objectOf(usage.output_tokens_details);
  const read = countOf(input.cached_tokens);
  const write = countOf(input.cache_write_tokens);
  const audioIn = countOf(input.audio_tokens);
  const reasoning = countOf(output.reasoning_tokens);
  const audioOut = countOf(output.audio_tokens);
  return {
    ...noUsage,
    inputTokens: Math.max(0, countOf(usage.input_tokens) - read - write - audioIn),
    cacheReadTokens: read,
    cacheWrite5mTokens: write,
    audioInputTokens: audioIn,
    outputTokens: Math.max(0, countOf(usage.output_tokens) - reasoning - audioOut),
    reasoningTokens: reasoning,
    audioOutputTokens: audioOut,
    hostedToolCalls: hostedToolCalls(response),
    ...keep(leftovers(usage, input, output)),
  };
}

/** The usage object; the totals are computed anew and the details are always there. */
export function encodeUsage(usage: Usage): JsonObject {
  const own = ownFields(usage) ?? {};
  const input = totalInputTokens(usage);
  const output = totalOutputTokens(usage);
  const { audioInputTokens, audioOutputTokens } = usage;
  return {
    ...restOf(own, ["input_tokens_details", "output_tokens_details"]),
    input_tokens: input,
    input_tokens_details: {
      ...objectOf(own.input_tokens_details),
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWrite5mTokens + usage.cacheWrite1hTokens,
      ...(audioInputTokens > 0 && { audio_tokens: audioInputTokens }),
    },
    output_tokens: output,
    output_tokens_details: {
      ...objectOf(own.output_tokens_details),
      reasoning_tokens: usage.reasoningTokens,
      ...(audioOutputTokens > 0 && { audio_tokens: audioOutputTokens }),
    },
    total_tokens: input + output,
  };
}

const usageKeys = [
  "input_tokens",
  "input_tokens_details",
  "output_tokens",
  "output_tokens_details",
  "total_tokens",
];

function leftovers(usage: JsonObject, input: JsonObject, output: JsonObject): JsonObject {
  const inputRest = restOf(input, ["cached_tokens", "cache_write_tokens", "audio_tokens"]);
  const outputRest = restOf(output, ["reasoning_tokens", "audio_tokens"]);
  return {
    ...restOf(usage, usageKeys),
    ...(Object.keys(inputRest).length > 0 && { input_tokens_details: inputRest }),
    ...(Object.keys(outputRest).length > 0 && { output_tokens_details: outputRest }),
  };
}

/** Which items are calls of tools that the vendor bills by the call. */
const hostedKinds: ReadonlyMap<string, string> = new Map([
  ["web_search_call", "web-search"],
  ["file_search_call", "file-search"],
  ["code_interpreter_call", "code-execution"],
]);

/** Counted from the items; for searches the vendor's own count wins, which leaves out page visits. */
function hostedToolCalls(response: JsonObject): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const item of objectsOf(response.output)) {
    const kind = hostedKinds.get(textOf(item.type));
    if (kind && isBilled(item)) calls[kind] = (calls[kind] ?? 0) + 1;
  }
  const stated = countOf(objectOf(objectOf(response.tool_usage).web_search).num_requests);
  return stated > 0 ? { ...calls, "web-search": stated } : calls;
}

/** A visit to a page that a search found is no search of its own. */
function isBilled({ action }: JsonObject): boolean {
  return !isJsonObject(action) || action.type === undefined || action.type === "search";
}
