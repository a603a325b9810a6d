import type { JsonObject, NativePart } from "../../../canonical/mod.ts";
import { line, markdownText } from "../../answer/item_markdown.ts";
import { textOf } from "../../wire_value.ts";
import { format } from "../native.ts";

/** A content part that only this format has, with its content as Markdown. */
export function nativePart(wire: JsonObject): NativePart {
  return { type: "native", format, value: wire, isContent: true, ...hostedMarkdown(wire) };
}

/** The text of a content part of unknown type; empty for calls of unknown tools. */
function hostedMarkdown(wire: JsonObject): { text?: string } {
  return markdownText(line(textOf(wire.text)));
}
