import type { JsonObject } from "../json/mod.ts";

/** The four wire formats. A format is a protocol, not a company. */
export const formatNames = [
  "chat-completions",
  "responses",
  "messages",
  "generate-content",
] as const;
/** The name of a wire format. */
export type FormatName = typeof formatNames[number];

/**
 * Wire fields that only one format has, kept verbatim with their canonical value. The codec of
 * `format` writes `fields` back unchanged; every other codec leaves them out and notes each one
 * with a meaning.
 */
export interface NativeFields {
  readonly format: FormatName;
  readonly fields: JsonObject;
}
