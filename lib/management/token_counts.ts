import { z } from "zod";
import {
  cacheWriteTokens,
  type TokenBucket,
  type TokenCounts,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../canonical/mod.ts";
import { snake } from "./http/schema.ts";

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

/** Further parts of the totals, with prices of their own. */
const pricedParts = [
  "cacheWrite5mTokens",
  "cacheWrite1hTokens",
  "cacheWrite12hTokens",
  "audioInputTokens",
  "imageInputTokens",
  "audioOutputTokens",
  "imageOutputTokens",
] as const satisfies readonly TokenBucket[];

/** The usage of one call. */
export const callUsage = z.object({
  ...tokenCounts,
  ...Object.fromEntries(pricedParts.map((bucket) => [snake(bucket), z.number()])),
  hosted_tool_calls: z.record(z.string(), z.number()),
}).describe("Counted as in `GET /usage`");

export function callUsageJson(usage: Usage) {
  const parts = pricedParts.map((bucket) => [snake(bucket), usage[bucket]]);
  return {
    ...tokenCountsJson(usage),
    ...Object.fromEntries(parts),
    hosted_tool_calls: { ...usage.hostedToolCalls },
  };
}

/** The name of a line of a cost: tokens in no other bucket are the rest of their side. */
export function bucketName(bucket: string): string {
  return restNames[bucket] ?? snake(bucket);
}

const restNames: Readonly<Record<string, string>> = {
  inputTokens: "uncached_input_tokens",
  outputTokens: "visible_output_tokens",
} satisfies Partial<Record<TokenBucket, string>>;
