import {
  disjoint,
  isJsonObject,
  type JsonObject,
  serviceTierOf,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../../../canonical/mod.ts";
import { priceMembers } from "../../stated_price.ts";
import { countOf, isEmpty, objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";
import { keep, ownFields } from "../native.ts";

/**
 * The usage of a response object; undefined if it states none. `input_tokens` includes cache reads
 * and writes, `output_tokens` includes reasoning: the buckets here hold the remainders. Cache
 * writes without a stated lifetime last thirty minutes, and cost as much as five minutes elsewhere.
 */
export function decodeUsage(response: JsonObject): Usage | undefined {
  const usage = response.usage;
  if (!isJsonObject(usage)) return undefined;
  const input = objectOf(usage.input_tokens_details);
  const output = objectOf(usage.output_tokens_details);
  const servedTier = serviceTierOf(response.service_tier);
  const prompt = disjoint(countOf(usage.input_tokens), {
    cacheReadTokens: countOf(input.cached_tokens),
    ...cacheWrites(input),
    audioInputTokens: countOf(input.audio_tokens),
    imageInputTokens: countOf(input.image_tokens),
  });
  const answer = disjoint(countOf(usage.output_tokens), {
    reasoningTokens: countOf(output.reasoning_tokens),
    audioOutputTokens: countOf(output.audio_tokens),
    imageOutputTokens: countOf(output.image_tokens),
  });
  return {
    ...prompt.taken,
    ...answer.taken,
    inputTokens: prompt.rest,
    outputTokens: answer.rest,
    cacheWrite1hTokens: 0,
    hostedToolCalls: hostedToolCalls(response),
    ...(servedTier !== undefined && { servedTier }),
    ...keep(leftovers(usage, input, output)),
  };
}

function cacheWrites(
  input: JsonObject,
): Pick<Usage, "cacheWrite12hTokens" | "cacheWrite5mTokens"> {
  const written = objectOf(input.cache_write_tokens_details);
  const cacheWrite12hTokens = countOf(written.ttl_12h_tokens);
  const unstated = countOf(input.cache_write_tokens) - cacheWrite12hTokens;
  const cacheWrite5mTokens = Math.max(countOf(written.ttl_30m_tokens), unstated);
  return { cacheWrite12hTokens, cacheWrite5mTokens };
}

/** The usage object; the totals are recomputed, and the details are always present. */
export function encodeUsage(usage: Usage): JsonObject {
  const own = ownFields(usage) ?? {};
  const input = totalInputTokens(usage);
  const output = totalOutputTokens(usage);
  const { audioInputTokens, imageInputTokens, audioOutputTokens, imageOutputTokens } = usage;
  const { cacheWrite5mTokens, cacheWrite1hTokens, cacheWrite12hTokens } = usage;
  const writtenElse = cacheWrite5mTokens + cacheWrite1hTokens;
  return {
    ...restOf(own, ["input_tokens_details", "output_tokens_details", ...priceMembers]),
    input_tokens: input,
    input_tokens_details: {
      ...objectOf(own.input_tokens_details),
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: writtenElse + cacheWrite12hTokens,
      ...(cacheWrite12hTokens > 0 && {
        cache_write_tokens_details: {
          ttl_30m_tokens: writtenElse,
          ttl_12h_tokens: cacheWrite12hTokens,
        },
      }),
      ...(audioInputTokens > 0 && { audio_tokens: audioInputTokens }),
      ...(imageInputTokens > 0 && { image_tokens: imageInputTokens }),
    },
    output_tokens: output,
    output_tokens_details: {
      ...objectOf(own.output_tokens_details),
      reasoning_tokens: usage.reasoningTokens,
      ...(audioOutputTokens > 0 && { audio_tokens: audioOutputTokens }),
      ...(imageOutputTokens > 0 && { image_tokens: imageOutputTokens }),
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

const inputKeys = ["cached_tokens", "cache_write_tokens", "audio_tokens", "image_tokens"];
const outputKeys = ["reasoning_tokens", "audio_tokens", "image_tokens"];

function leftovers(usage: JsonObject, input: JsonObject, output: JsonObject): JsonObject {
  const inputRest = restOf(input, inputKeys);
  const outputRest = restOf(output, outputKeys);
  return {
    ...restOf(usage, usageKeys),
    ...(!isEmpty(inputRest) && { input_tokens_details: inputRest }),
    ...(!isEmpty(outputRest) && { output_tokens_details: outputRest }),
  };
}

/** Item types of hosted tools that are billed by the call. */
const hostedKinds: ReadonlyMap<string, string> = new Map([
  ["web_search_call", "web-search"],
  ["file_search_call", "file-search"],
  ["code_interpreter_call", "code-execution"],
]);

/** Counts the items; for searches the vendor's own count wins, because it excludes page visits. */
function hostedToolCalls(response: JsonObject): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const item of objectsOf(response.output)) {
    const kind = hostedKinds.get(textOf(item.type));
    if (kind && isBilled(item)) calls[kind] = (calls[kind] ?? 0) + 1;
  }
  const stated = countOf(objectOf(objectOf(response.tool_usage).web_search).num_requests);
  return stated > 0 ? { ...calls, "web-search": stated } : calls;
}

/** Returns false for a visit to a page that a search found: it is not billed. */
function isBilled({ action }: JsonObject): boolean {
  return !isJsonObject(action) || action.type === undefined || action.type === "search";
}
