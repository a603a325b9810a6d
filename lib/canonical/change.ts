import type { JsonObject } from "../json/mod.ts";
import type { Effort } from "./effort.ts";
import type { NativeFields } from "./format.ts";

/** Settings that apply from a place in the conversation on, until a later change replaces them. */
export interface Change {
  readonly effort?: Effort;
  readonly output?: OutputFormat;
  /** Names of the tools that are added from here on. */
  readonly addedTools?: readonly string[];
  /** Names of the tools that are removed. */
  readonly removedTools?: readonly string[];
}

export type OutputFormat =
  | { readonly type: "text" }
  | { readonly type: "json" }
  | {
    readonly type: "schema";
    readonly schema: JsonObject;
    readonly name?: string;
    readonly description?: string;
    readonly strict?: boolean;
    readonly native?: NativeFields;
  };
