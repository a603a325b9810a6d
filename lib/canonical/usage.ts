import type { NativeFields } from "./format.ts";

/** Tools that a vendor runs and may bill by the call, as usage counts them. */
export const hostedToolKinds = [
  "web-search",
  "url-fetch",
  "code-execution",
  "file-search",
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

/** All prompt tokens, cached or not. */
export function totalInputTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens +
    usage.cacheWrite1hTokens + usage.audioInputTokens + usage.imageInputTokens;
}

/** All answer tokens, reasoning included. */
export function totalOutputTokens(usage: Usage): number {
  return usage.outputTokens + usage.reasoningTokens + usage.audioOutputTokens +
    usage.imageOutputTokens;
}

/** More tokens than any call can use: beyond it sums stop being exact, and at last being numbers. */
const countMax = 1_000_000_000;

/** The same with every count a whole number from 0 to a billion: an upstream may state anything. */
export function boundedUsage(usage: Usage): Usage {
  return {
    ...usage,
    inputTokens: boundedCount(usage.inputTokens),
    cacheReadTokens: boundedCount(usage.cacheReadTokens),
    cacheWrite5mTokens: boundedCount(usage.cacheWrite5mTokens),
    cacheWrite1hTokens: boundedCount(usage.cacheWrite1hTokens),
    audioInputTokens: boundedCount(usage.audioInputTokens),
    imageInputTokens: boundedCount(usage.imageInputTokens),
    outputTokens: boundedCount(usage.outputTokens),
    reasoningTokens: boundedCount(usage.reasoningTokens),
    audioOutputTokens: boundedCount(usage.audioOutputTokens),
    imageOutputTokens: boundedCount(usage.imageOutputTokens),
    hostedToolCalls: Object.fromEntries(
      Object.entries(usage.hostedToolCalls).map(([kind, calls]) => [kind, boundedCount(calls)]),
    ),
  };
}

/** A whole number from 0 to a billion; 0 for what is no number. */
export function boundedCount(count: number): number {
  return count > 0 ? Math.min(Math.trunc(count), countMax) : 0;
}
