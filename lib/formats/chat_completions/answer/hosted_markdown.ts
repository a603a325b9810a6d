import type { JsonObject, NativePart } from "../../../canonical/mod.ts";
import { line, markdownText } from "../../answer/item_markdown.ts";
import { textOf } from "../../wire_value.ts";
import { format } from "../native.ts";

/** A content part that only this format has, with what it says in words. */
export function nativePart(wire: JsonObject): NativePart {
  return { type: "native", format, value: wire, ...hostedMarkdown(wire) };
}

/** A content part of unknown type says its text, where it has one; calls of unknown tools say nothing. */
export function hostedMarkdown(wire: JsonObject): { text?: string } {
  return markdownText(line(textOf(wire.text)));
}
