import type { JsonObject } from "./json.ts";

/** The four wire formats. A format is a protocol, not a company. */
export const formatNames = [
  "chat-completions",
  "responses",
  "messages",
  "generate-content",
] as const;
/** A wire protocol by its name. */
export type FormatName = typeof formatNames[number];

/**
 * Wire fields that only one format has, kept verbatim beside the canonical value they came with.
 * The codec of `format` writes `fields` back as they were; every other codec leaves them out and
 * records a note for each one that carries meaning.
 */
export interface NativeFields {
  readonly format: FormatName;
  readonly fields: JsonObject;
}
