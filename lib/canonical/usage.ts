import type { NativeFields } from "./format.ts";

/** Tools that a vendor runs and may bill by the call, as usage counts them. */
export const hostedToolKinds = [
  "web-search",
  "url-fetch",
  "code-execution",
  "file-search",
  "rerank",
] as const;

/**
 * What a call used, in disjoint buckets: no token is in two of them, so the sum of the input
 * buckets is the whole prompt and the sum of the output buckets the whole answer. Every format's
 * usage object is a projection of this, and only buckets have prices.
 */
export interface Usage {
  /** Prompt tokens that no cache served or stored, audio and images left out. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly audioInputTokens: number;
  readonly imageInputTokens: number;
  /** Visible answer: reasoning, audio and images left out. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly audioOutputTokens: number;
  readonly imageOutputTokens: number;
  /** A write that lasts twelve hours (OpenAI, since 2026-11-03). */
  readonly cacheWrite12hTokens: number;
  /** Calls of hosted tools by kind, such as `{ "web-search": 2 }`. */
  readonly hostedToolCalls: Readonly<Record<string, number>>;
  /** The service tier that served the call, by its canonical name. Absent: the answer names none. */
  readonly servedTier?: string;
  /** Where it was served, such as `us`; `global` for anywhere. Absent: the answer does not say. */
  readonly servedRegion?: string;
  /**
   * The samplings that the buckets above are the sum of, where an answer took several that are billed
   * apart: a compaction of the history, a hop of another model.
   */
  readonly samplings?: readonly SamplingUsage[];
  /** Sub-counts that only one format states (prediction tokens, modality details). */
  readonly native?: NativeFields;
}

/** One of several samplings of a call. */
export interface SamplingUsage {
  /** Its purpose, such as `compaction`; absent for the answer itself. */
  readonly purpose?: string;
  /** Absent: the model that was asked. */
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

/** Every bucket that holds tokens. Rows of the log keep their counts in this order: a new one goes to the end. */
export const tokenBuckets = Object.keys(sides) as readonly TokenBucket[]; // the table's own keys
/** Those whose sum is the whole prompt. */
export const promptBuckets: readonly TokenBucket[] = tokenBuckets.filter((bucket) =>
  sides[bucket] === "prompt"
);
/** Those whose sum is the whole answer. */
export const answerBuckets: readonly TokenBucket[] = tokenBuckets.filter((bucket) =>
  sides[bucket] === "answer"
);

/** No token in any bucket. */
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

/** A call that used nothing. */
export const noUsage: Usage = { ...noTokens, hostedToolCalls: {} };

/** Tokens by bucket: of one call, or what many came to. */
export type TokenCounts = Readonly<Record<TokenBucket, number>>;

/** All prompt tokens, cached or not. */
export function totalInputTokens(usage: TokenCounts): number {
  return sumOf(usage, promptBuckets);
}

/** All answer tokens, reasoning included. */
export function totalOutputTokens(usage: TokenCounts): number {
  return sumOf(usage, answerBuckets);
}

function sumOf(usage: TokenCounts, buckets: readonly TokenBucket[]): number {
  return buckets.reduce((sum, bucket) => sum + usage[bucket], 0);
}

/** The sum of several samplings. */
export function summedTokens(samplings: readonly TokenCounts[]): TokenCounts {
  const sums = tokenBuckets.map((bucket) => [
    bucket,
    samplings.reduce((sum, tokens) => sum + tokens[bucket], 0),
  ]);
  return Object.fromEntries(sums) as TokenCounts; // one for each bucket
}

/** More tokens than any call can use: beyond it sums stop being exact, and at last being numbers. */
const countMax = 1_000_000_000;

/** The same with every count a whole number from 0 to a billion: an upstream may state anything. */
export function boundedUsage(usage: Usage): Usage {
  const { samplings } = usage;
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

function boundedTokens(tokens: TokenCounts): TokenCounts {
  const counts = tokenBuckets.map((bucket) => [bucket, boundedCount(tokens[bucket])]);
  return Object.fromEntries(counts) as TokenCounts; // one for each bucket
}

/** A whole number from 0 to a billion; 0 for what is no number. */
export function boundedCount(count: number): number {
  return count > 0 ? Math.min(Math.trunc(count), countMax) : 0;
}
