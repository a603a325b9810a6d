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
  /** Calls of hosted tools by kind, such as `{ "web-search": 2 }`. */
  readonly hostedToolCalls: Readonly<Record<string, number>>;
  /** Sub-counts that only one format states (prediction tokens, modality details). */
  readonly native?: NativeFields;
}

/** A bucket of usage that holds tokens. */
export type TokenBucket = Exclude<keyof Usage, "hostedToolCalls" | "native">;

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

/** A call that used nothing. */
export const noUsage: Usage = {
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
  hostedToolCalls: {},
};

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

/** More tokens than any call can use: beyond it sums stop being exact, and at last being numbers. */
const countMax = 1_000_000_000;

/** The same with every count a whole number from 0 to a billion: an upstream may state anything. */
export function boundedUsage(usage: Usage): Usage {
  return {
    ...usage,
    ...Object.fromEntries(tokenBuckets.map((bucket) => [bucket, boundedCount(usage[bucket])])),
    hostedToolCalls: Object.fromEntries(
      Object.entries(usage.hostedToolCalls).map(([kind, calls]) => [kind, boundedCount(calls)]),
    ),
  };
}

/** A whole number from 0 to a billion; 0 for what is no number. */
export function boundedCount(count: number): number {
  return count > 0 ? Math.min(Math.trunc(count), countMax) : 0;
}
