import { digest } from "./digest.ts";

/** The tool call ids that a format accepts. */
export interface ToolCallIdRule {
  readonly pattern: RegExp;
  readonly charsMax: number;
  /** The prefix of a replacement id, such as `call_` or `toolu_`. */
  readonly prefix: string;
  /** Characters of the hash after the prefix; default: 24. */
  readonly hashChars?: number;
}

/**
 * Returns the id if the target accepts it, else a stable hash: a pure function of the id, so that a
 * call and its result match, and equal histories stay equal, without state.
 */
export function safeToolCallId(
  id: string,
  { pattern, charsMax, prefix, hashChars = 24 }: ToolCallIdRule,
): string {
  if (id.length > 0 && id.length <= charsMax && pattern.test(id)) return id;
  return prefix + digest(id).slice(0, hashChars);
}
