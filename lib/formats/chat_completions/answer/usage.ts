import {
  cacheWriteTokens,
  disjoint,
  isJsonObject,
  type JsonObject,
  serviceTierOf,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../../../canonical/mod.ts";
import { priceMembers } from "../../stated_price.ts";
import { countOf, isEmpty, noMembers, objectOf, restOf } from "../../wire_value.ts";
import { extraMembers, keep, ownFields } from "../native.ts";

const members = new Set([
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "prompt_tokens_details",
  "completion_tokens_details",
]);
const promptDetails = new Set(["cached_tokens", "audio_tokens", "image_tokens"]);
const completionDetails = new Set(["reasoning_tokens", "audio_tokens", "image_tokens"]);

/**
 * The usage object, and the service tier if the body or a chunk names it. Cached, written, audio
 * and image tokens are subsets of `prompt_tokens`; reasoning, audio and image tokens are subsets of
 * `completion_tokens`. Only some vendors state images (xAI, OpenRouter; 2026-11-21). Some upstreams
 * leave reasoning out of `completion_tokens` and still count it in `total_tokens` (xAI, the
 * compatibility endpoint of Gemini; 2026-11-21), so the total decides.
 */
export function decodeUsage(wire: JsonObject, tier?: unknown): Usage {
  const prompt = objectOf(wire.prompt_tokens_details);
  const completion = objectOf(wire.completion_tokens_details);
  const uncounted = uncountedTokens(wire);
  const servedTier = serviceTierOf(tier ?? wire.service_tier); // beside the counts at some vendors (Mistral; 2026-11-22)
  // DeepSeek and Moonshot use their own names for cache reads
  const read = countOf(prompt.cached_tokens ?? wire.prompt_cache_hit_tokens ?? wire.cached_tokens);
  const written = countOf(prompt.cache_write_tokens);
  const input = disjoint(wholePrompt(countOf(wire.prompt_tokens), read + written), {
    cacheReadTokens: read,
    cacheWrite5mTokens: written,
    audioInputTokens: countOf(prompt.audio_tokens),
    imageInputTokens: countOf(prompt.image_tokens),
  });
  const output = disjoint(countOf(wire.completion_tokens) + uncounted, {
    reasoningTokens: Math.max(countOf(completion.reasoning_tokens), uncounted),
    audioOutputTokens: countOf(completion.audio_tokens),
    imageOutputTokens: countOf(completion.image_tokens),
  });
  return {
    ...input.taken,
    ...output.taken,
    inputTokens: input.rest,
    outputTokens: output.rest,
    cacheWrite1hTokens: 0,
    cacheWrite12hTokens: 0,
    hostedToolCalls: {},
    ...(servedTier !== undefined && { servedTier }),
    ...keep(nativeCounts(wire, prompt, completion)),
  };
}

/** The detail objects are always present, with zeros; the total is always the sum. */
export function encodeUsage(usage: Usage): JsonObject {
  const native = restOf(ownFields(usage) ?? {}, priceMembers);
  const prompt = totalInputTokens(usage);
  const completion = totalOutputTokens(usage);
  const written = cacheWriteTokens(usage);
  return {
    ...native,
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      ...objectOf(native.prompt_tokens_details),
      cached_tokens: usage.cacheReadTokens,
      audio_tokens: usage.audioInputTokens,
      ...(usage.imageInputTokens > 0 && { image_tokens: usage.imageInputTokens }),
      ...(written > 0 && { cache_write_tokens: written }),
    },
    completion_tokens_details: {
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
      ...objectOf(native.completion_tokens_details),
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: usage.audioOutputTokens,
      ...(usage.imageOutputTokens > 0 && { image_tokens: usage.imageOutputTokens }),
    },
  };
}

/** The usage that a stream stated last; zeros behind counts are no new usage. */
export function latestUsage(known: Usage | undefined, stated: Usage): Usage {
  const isNothing = totalInputTokens(stated) + totalOutputTokens(stated) === 0;
  return known && isNothing ? known : stated;
}

/** Finds the usage of an upstream: at the top, beside the choice or in a vendor's own member. */
export function usageIn(body: JsonObject): JsonObject | undefined {
  if (isJsonObject(body.usage)) return body.usage;
  const { usage } = objectOf(body.x_groq);
  if (isJsonObject(usage)) return usage;
  const [choice] = Array.isArray(body.choices) ? body.choices : [];
  const beside = objectOf(choice).usage;
  return isJsonObject(beside) ? beside : undefined;
}

/**
 * The whole prompt. Relays of other vendors leave cached tokens out of `prompt_tokens`, which shows
 * where they exceed it (2026-05): they are then beside it and not a part of it.
 */
function wholePrompt(stated: number, cached: number): number {
  return cached > stated ? stated + cached : stated;
}

function uncountedTokens({ prompt_tokens, completion_tokens, total_tokens }: JsonObject): number {
  return Math.max(0, countOf(total_tokens) - countOf(prompt_tokens) - countOf(completion_tokens));
}

/** Counts that only this format states: prediction tokens, an explicit zero, additions of vendors. */
function nativeCounts(wire: JsonObject, prompt: JsonObject, completion: JsonObject): JsonObject {
  if (prompt === noMembers && completion === noMembers) return extraMembers(wire, members);
  const { cache_write_tokens: written, ...others } = extraMembers(prompt, promptDetails);
  const promptRest = {
    ...(written === 0 && { cache_write_tokens: 0 }),
    ...writtenZero(prompt),
    ...others,
  };
  const completionRest = {
    ...writtenZero(completion),
    ...extraMembers(completion, completionDetails),
  };
  return {
    ...extraMembers(wire, members),
    ...(!isEmpty(promptRest) && { prompt_tokens_details: promptRest }),
    ...(!isEmpty(completionRest) && { completion_tokens_details: completionRest }),
  };
}

function writtenZero({ image_tokens: images }: JsonObject): JsonObject {
  return images === 0 ? { image_tokens: 0 } : {};
}
