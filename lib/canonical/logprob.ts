import type { JsonObject } from "../json/mod.ts";

/** A token with its log probability. */
export interface RatedToken {
  readonly token: string;
  readonly logprob: number;
  /** The token's bytes if they are not the UTF-8 of its text: it may be a part of a character. */
  readonly bytes?: readonly number[];
  /** The token's number in the model's vocabulary. */
  readonly id?: number;
  /** Further members of servers of chat completions, such as `text_offset` (vLLM, 2026-11). */
  readonly rest?: JsonObject;
}

/** A token that the model chose, and the likeliest tokens at its place. */
export interface TokenLogprob extends RatedToken {
  readonly top: readonly RatedToken[];
}

/** Returns true if a request asks for log probabilities; a count of the likeliest tokens implies it. */
export function asksLogprobs(
  { logprobs, topLogprobs = 0 }: { readonly logprobs?: boolean; readonly topLogprobs?: number },
): boolean {
  return logprobs ?? topLogprobs > 0;
}

export function byteLengthOfToken({ token, bytes }: RatedToken): number {
  return bytes ? bytes.length : new TextEncoder().encode(token).length;
}

/** Appends tokens one by one: an answer may have more of them than a call takes arguments. */
export function addTokens(list: TokenLogprob[], tokens: readonly TokenLogprob[] = []): void {
  for (const token of tokens) list.push(token);
}

/** To be spread into a part, delta or ending: empty without tokens. */
export function keepLogprobs(
  tokens: readonly TokenLogprob[] | undefined,
): { logprobs?: readonly TokenLogprob[] } {
  return tokens && tokens.length > 0 ? { logprobs: tokens } : {};
}
