import type { NativeFields } from "./format.ts";

/** Hosted tools that a vendor may bill by the call, as usage counts them. */
export const hostedToolKinds = [
  "web-search",
  "url-fetch",
  "code-execution",
  "file-search",
  "rerank",
] as const;

/**
 * The usage of a call, in disjoint buckets: no token is in two of them, so the input buckets sum up
 * to the whole prompt and the output buckets to the whole answer. Every format's usage object is
 * derived from this, and only buckets have prices.
 */
export interface Usage {
  /** Prompt tokens outside any cache, without audio and images. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly audioInputTokens: number;
  readonly imageInputTokens: number;
  /** Visible answer tokens, without reasoning, audio and images. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly audioOutputTokens: number;
  readonly imageOutputTokens: number;
  /** A cache write with a lifetime of twelve hours (OpenAI, since 2026-11-03). */
  readonly cacheWrite12hTokens: number;
  /** Calls of hosted tools by kind, such as `{ "web-search": 2 }`. */
  readonly hostedToolCalls: Readonly<Record<string, number>>;
  /** The service tier that served the call, by its canonical name; absent if the answer names none. */
  readonly servedTier?: string;
  /** The region that served the call, such as `us`; `global` for any; absent if the answer does not say. */
  readonly servedRegion?: string;
  /**
   * The samplings whose sum the buckets are, if an answer took several that are billed separately:
   * a compaction of the history, a hop of another model.
   */
  readonly samplings?: readonly SamplingUsage[];
  /** Sub-counts of one format only (prediction tokens, modality details). */
  readonly native?: NativeFields;
}

/** One of several samplings of a call. */
export interface SamplingUsage {
  /** Its purpose, such as `compaction`; absent for the answer itself. */
  readonly purpose?: string;
  /** The model; absent: the requested one. */
  readonly model?: string;
  readonly tokens: TokenCounts;
}

/** A bucket of usage that holds tokens. */
export type TokenBucket = Exclude<
  keyof Usage,
  "hostedToolCalls" | "native" | "servedTier" | "servedRegion" | "samplings"
>;

const sides = {
  inputTokens: "prompt",
  cacheReadTokens: "prompt",
  cacheWrite5mTokens: "prompt",
  cacheWrite1hTokens: "prompt",
  audioInputTokens: "prompt",
  imageInputTokens: "prompt",
  outputTokens: "answer",
  reasoningTokens: "answer",
  audioOutputTokens: "answer",
  imageOutputTokens: "answer",
  cacheWrite12hTokens: "prompt",
} as const satisfies Record<TokenBucket, "prompt" | "answer">;

/** Every token bucket. Stored log rows keep their counts in this order: append new ones at the end. */
export const tokenBuckets = Object.keys(sides) as readonly TokenBucket[]; // sound: the table's own keys
/** The buckets whose sum is the whole prompt. */
export const promptBuckets: readonly TokenBucket[] = tokenBuckets.filter((bucket) =>
  sides[bucket] === "prompt"
);
/** The buckets whose sum is the whole answer. */
export const answerBuckets: readonly TokenBucket[] = tokenBuckets.filter((bucket) =>
  sides[bucket] === "answer"
);

/** Returns true for tokens that were written to a cache or read from one. */
export function isCacheBucket(bucket: TokenBucket): boolean {
  return bucket.startsWith("cache");
}

/** The tokens that were written to caches, of any lifetime. */
export function cacheWriteTokens(usage: TokenCounts): number {
  return usage.cacheWrite5mTokens + usage.cacheWrite1hTokens + usage.cacheWrite12hTokens;
}

/** Zero tokens in every bucket. */
export const noTokens: TokenCounts = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  audioInputTokens: 0,
  imageInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  audioOutputTokens: 0,
  imageOutputTokens: 0,
  cacheWrite12hTokens: 0,
};

/** The usage of a call without any. */
export const noUsage: Usage = { ...noTokens, hostedToolCalls: {} };

/** Tokens by bucket, of one call or summed over many. */
export type TokenCounts = Readonly<Record<TokenBucket, number>>;

/**
 * All prompt tokens, cached or not. Names each of `promptBuckets`, because every call adds them up
 * several times.
 */
export function totalInputTokens(usage: TokenCounts): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens +
    usage.cacheWrite1hTokens + usage.cacheWrite12hTokens + usage.audioInputTokens +
    usage.imageInputTokens;
}

/** All answer tokens, reasoning included. Names each of `answerBuckets`. */
export function totalOutputTokens(usage: TokenCounts): number {
  return usage.outputTokens + usage.reasoningTokens + usage.audioOutputTokens +
    usage.imageOutputTokens;
}

/** The sum of several samplings. */
export function summedTokens(samplings: readonly TokenCounts[]): TokenCounts {
  const sums = tokenBuckets.map((bucket) => [
    bucket,
    samplings.reduce((sum, tokens) => sum + tokens[bucket], 0),
  ]);
  return Object.fromEntries(sums) as TokenCounts; // one entry for each bucket
}

/** Maximum of a count, more than any call can use: larger sums would not be exact. */
const countMax = 1_000_000_000;

/** Clamps every count to a whole number from 0 to a billion: an upstream may state anything. */
export function boundedUsage(usage: Usage): Usage {
  const { samplings } = usage;
  if (!samplings && isBounded(usage)) return usage;
  return {
    ...usage,
    ...boundedTokens(usage),
    ...(samplings && {
      samplings: samplings.map((one) => ({ ...one, tokens: boundedTokens(one.tokens) })),
    }),
    hostedToolCalls: Object.fromEntries(
      Object.entries(usage.hostedToolCalls).map(([kind, calls]) => [kind, boundedCount(calls)]),
    ),
  };
}

function isBounded(usage: Usage): boolean {
  for (const bucket of tokenBuckets) {
    const count = usage[bucket];
    if (!(count >= 0 && count <= countMax && Number.isInteger(count))) return false;
  }
  for (const kind in usage.hostedToolCalls) {
    const calls = usage.hostedToolCalls[kind];
    if (calls !== boundedCount(calls)) return false;
  }
  return true;
}

function boundedTokens(tokens: TokenCounts): TokenCounts {
  const counts = tokenBuckets.map((bucket) => [bucket, boundedCount(tokens[bucket])]);
  return Object.fromEntries(counts) as TokenCounts; // one entry for each bucket
}

/** A whole number from 0 to a billion; 0 for an invalid number. */
export function boundedCount(count: number): number {
  return count > 0 ? Math.min(Math.trunc(count), countMax) : 0;
}

/**
 * Subtracts the counts of a total's parts from it, in order and never below zero, so that no token
 * is counted twice even if an upstream's counts disagree.
 */
export function disjoint<Bucket extends string>(
  total: number,
  parts: Readonly<Record<Bucket, number>>,
): { readonly rest: number; readonly taken: Readonly<Record<Bucket, number>> } {
  const taken: Record<Bucket, number> = { ...parts };
  let rest = total;
  for (const bucket in parts) {
    taken[bucket] = Math.min(parts[bucket], rest);
    rest -= taken[bucket];
  }
  return { rest, taken };
}
