import type { JsonObject, NativePart } from "../../../canonical/mod.ts";
import { block, line, listing, markdownText, type Piece } from "../../answer/item_markdown.ts";
import { argumentsText, isEmpty, objectOf, restOf, textOf, textsOf } from "../../wire_value.ts";
import { format } from "../native.ts";

/** A part that only this format has, with its content as Markdown. */
export function nativePart(wire: JsonObject): NativePart {
  return { type: "native", format, value: wire, isContent: true, ...hostedMarkdown(wire) };
}

/** A hosted tool's part as Markdown; empty for drafts of media and parts of unknown kinds. */
function hostedMarkdown(wire: JsonObject): { text?: string } {
  return markdownText([
    ...executable(objectOf(wire.executableCode)),
    ...executed(objectOf(wire.codeExecutionResult)),
    ...called(objectOf(wire.toolCall)),
    ...answered(objectOf(wire.toolResponse)),
  ]);
}

function executable({ code, language }: JsonObject): Piece[] {
  const known = textOf(language);
  return block("Code", textOf(code), known === "LANGUAGE_UNSPECIFIED" ? "" : known);
}

const failures: Readonly<Record<string, string>> = {
  OUTCOME_FAILED: "The code failed.",
  OUTCOME_DEADLINE_EXCEEDED: "The code timed out.",
};

function executed({ outcome, output }: JsonObject): Piece[] {
  const failed = Object.hasOwn(failures, textOf(outcome)) ? failures[textOf(outcome)] : "";
  return [...line(failed), ...block("Output", textOf(output))];
}

/** A search shows its queries, any other tool all its arguments. */
function called({ toolType, args }: JsonObject): Piece[] {
  const name = textOf(toolType);
  const { query, queries } = objectOf(args);
  const asked = [...textsOf(queries), textOf(query)];
  if (name.startsWith("GOOGLE_SEARCH")) return listing("Web search", asked);
  return [...listing("Tool called", [name]), ...block("Arguments", argumentsText(args), "json")];
}

/** Search suggestions are HTML for a page and have no text for a reader. */
function answered({ response }: JsonObject): Piece[] {
  const said = restOf(objectOf(response), ["search_suggestions", "searchSuggestions"]);
  return isEmpty(said) ? [] : block("Output", argumentsText(said), "json");
}
