import type { Effort } from "./effort.ts";
import type { OutputFormat } from "./request.ts";

/** Settings that hold from a place in the conversation on, until a later change replaces them. */
export interface Change {
  readonly effort?: Effort;
  readonly output?: OutputFormat;
  /** Tools that may be called from here on, by their names. */
  readonly addedTools?: readonly string[];
  /** Tools that may no longer be called. */
  readonly removedTools?: readonly string[];
}
