import {
  isJsonObject,
  type JsonObject,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../../canonical/mod.ts";
import { keep, ownFields, restOf } from "./native.ts";
import { countOf, isEmpty, objectOf } from "../wire_value.ts";

const members = new Set([
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "prompt_tokens_details",
  "completion_tokens_details",
]);
const promptDetails = new Set(["cached_tokens", "audio_tokens"]);
const completionDetails = new Set(["reasoning_tokens", "audio_tokens"]);

/**
 * Cached, written and audio tokens are subsets of `prompt_tokens`, reasoning and audio tokens of
 * `completion_tokens`. Some upstreams leave reasoning out of `completion_tokens` and still count it
 * in `total_tokens` (xAI, the compatibility endpoint of Gemini; 2026-11-21): the total tells.
 */
export function decodeUsage(wire: JsonObject): Usage {
  const prompt = objectOf(wire.prompt_tokens_details);
  const completion = objectOf(wire.completion_tokens_details);
  const uncounted = uncountedTokens(wire);
  const input = split(countOf(wire.prompt_tokens), [
    cachedTokens(wire, prompt),
    countOf(prompt.cache_write_tokens),
    countOf(prompt.audio_tokens),
  ]);
  const output = split(countOf(wire.completion_tokens) + uncounted, [
    Math.max(countOf(completion.reasoning_tokens), uncounted),
    countOf(completion.audio_tokens),
  ]);
  return {
    inputTokens: input.rest,
    cacheReadTokens: input.taken[0],
    cacheWrite5mTokens: input.taken[1],
    cacheWrite1hTokens: 0,
    audioInputTokens: input.taken[2],
    outputTokens: output.rest,
    reasoningTokens: output.taken[0],
    audioOutputTokens: output.taken[1],
    hostedToolCalls: {},
    ...keep(nativeCounts(wire, prompt, completion)),
  };
}

/** The detail objects are always there, with zeros; the total is always the sum. */
export function encodeUsage(usage: Usage): JsonObject {
  const native = ownFields(usage) ?? {};
  const prompt = totalInputTokens(usage);
  const completion = totalOutputTokens(usage);
  const written = usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
  return {
    ...native,
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      ...objectOf(native.prompt_tokens_details),
      cached_tokens: usage.cacheReadTokens,
      audio_tokens: usage.audioInputTokens,
      ...(written > 0 && { cache_write_tokens: written }),
    },
    completion_tokens_details: {
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
      ...objectOf(native.completion_tokens_details),
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: usage.audioOutputTokens,
    },
  };
}

/** Where an upstream of this format states usage: at the top, beside the choice or in a vendor's own place. */
export function usageIn(body: JsonObject): JsonObject | undefined {
  if (isJsonObject(body.usage)) return body.usage;
  const { usage } = objectOf(body.x_groq);
  if (isJsonObject(usage)) return usage;
  const [choice] = Array.isArray(body.choices) ? body.choices : [];
  const beside = objectOf(choice).usage;
  return isJsonObject(beside) ? beside : undefined;
}

/** DeepSeek and Moonshot have names of their own for cache reads. */
function cachedTokens(wire: JsonObject, prompt: JsonObject): number {
  return countOf(prompt.cached_tokens ?? wire.prompt_cache_hit_tokens ?? wire.cached_tokens);
}

function uncountedTokens({ prompt_tokens, completion_tokens, total_tokens }: JsonObject): number {
  return Math.max(0, countOf(total_tokens) - countOf(prompt_tokens) - countOf(completion_tokens));
}

/** Takes disjoint subsets out of a total, never more than there is: no token is counted twice. */
function split(total: number, subsets: readonly number[]) {
  let rest = total;
  const taken = subsets.map((subset) => {
    const part = Math.min(subset, rest);
    rest -= part;
    return part;
  });
  return { rest, taken };
}

/** Counts that only this format states: prediction tokens, a written zero, what vendors add. */
function nativeCounts(wire: JsonObject, prompt: JsonObject, completion: JsonObject): JsonObject {
  const { cache_write_tokens: written, ...others } = restOf(prompt, promptDetails);
  const promptRest = written === 0 ? { cache_write_tokens: 0, ...others } : others;
  const completionRest = restOf(completion, completionDetails);
  return {
    ...restOf(wire, members),
    ...(!isEmpty(promptRest) && { prompt_tokens_details: promptRest }),
    ...(!isEmpty(completionRest) && { completion_tokens_details: completionRest }),
  };
}
