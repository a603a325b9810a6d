import type { NativeFields } from "./format.ts";

/**
 * What a call used, in disjoint buckets: no token is in two of them, so the sum of the input
 * buckets is the whole prompt and the sum of the output buckets the whole answer. Every format's
 * usage object is a projection of this, and only buckets have prices.
 */
export interface Usage {
  /** Prompt tokens that no cache served or stored, audio left out. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly audioInputTokens: number;
  /** Visible answer: reasoning and audio left out. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly audioOutputTokens: number;
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
  outputTokens: 0,
  reasoningTokens: 0,
  audioOutputTokens: 0,
  hostedToolCalls: {},
};

/** All prompt tokens, cached or not. */
export function totalInputTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens +
    usage.cacheWrite1hTokens + usage.audioInputTokens;
}

/** All answer tokens, reasoning included. */
export function totalOutputTokens(usage: Usage): number {
  return usage.outputTokens + usage.reasoningTokens + usage.audioOutputTokens;
}
