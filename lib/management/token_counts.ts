import { z } from "zod";
import {
  cacheWriteTokens,
  type TokenCounts,
  totalInputTokens,
  totalOutputTokens,
} from "../canonical/mod.ts";

/** Tokens of one call or of many: the totals of both sides, and parts of them. */
export const tokenCounts = {
  input_tokens: z.number().describe("The whole prompt, cached or not"),
  cached_input_tokens: z.number().describe("The part of `input_tokens` that caches served"),
  cache_write_tokens: z.number().describe("The part of `input_tokens` that caches stored"),
  output_tokens: z.number().describe("The whole answer, reasoning included"),
  reasoning_tokens: z.number().describe("The part of `output_tokens` that is reasoning"),
};

export function tokenCountsJson(usage: TokenCounts) {
  return {
    input_tokens: totalInputTokens(usage),
    cached_input_tokens: usage.cacheReadTokens,
    cache_write_tokens: cacheWriteTokens(usage),
    output_tokens: totalOutputTokens(usage),
    reasoning_tokens: usage.reasoningTokens,
  };
}
