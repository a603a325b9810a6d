import { digest } from "./digest.ts";

/** What a format accepts as the id of a tool call. */
export interface ToolCallIdRule {
  readonly pattern: RegExp;
  readonly charsMax: number;
  /** Begins a replaced id, such as `call_` or `toolu_`. */
  readonly prefix: string;
  /** How much of the hash follows it: 24 characters where absent. */
  readonly hashChars?: number;
}

/**
 * The id itself where the target accepts it, and otherwise a stable hash of it: a pure function of
 * the id, so that a call and its result agree, and equal histories stay equal, with no state.
 */
export function safeToolCallId(
  id: string,
  { pattern, charsMax, prefix, hashChars = 24 }: ToolCallIdRule,
): string {
  if (id.length > 0 && id.length <= charsMax && pattern.test(id)) return id;
  return prefix + digest(id).slice(0, hashChars);
}
