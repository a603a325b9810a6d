import type { JsonObject, JsonValue, NativePart } from "../../../canonical/mod.ts";
import {
  block,
  line,
  link,
  links,
  listing,
  markdownText,
  type Piece,
} from "../../answer/item_markdown.ts";
import { argumentsText, defined, objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";
import { format } from "../native.ts";

/** A block that only this format has, with its content as Markdown. */
export function nativeBlock(wire: JsonObject): NativePart {
  return { type: "native", format, value: wire, ...hostedMarkdown(wire) };
}

/**
 * A hosted tool's block as Markdown. Empty for tool searches, uploads, changes of the model or of
 * the tools, compactions, and blocks of unknown types.
 */
function hostedMarkdown(wire: JsonObject): { text?: string } {
  const type = textOf(wire.type);
  return Object.hasOwn(writers, type) ? markdownText(writers[type](wire)) : {};
}

const writers: Readonly<Record<string, (wire: JsonObject) => Piece[]>> = {
  server_tool_use: ({ name, input }) => toolUse(textOf(name), objectOf(input)),
  mcp_tool_use: ({ server_name: server, name, input }) => [
    ...listing("Tool called", [[textOf(server), textOf(name)].filter(Boolean).join(".")]),
    ...block("Arguments", argumentsText(input), "json"),
  ],
  mcp_tool_result: ({ content, is_error: failed }) =>
    block(failed === true ? "Error" : "Output", textsIn(content)),
  web_search_tool_result: ({ content }) => [
    ...links(
      objectsOf(content).map(({ url, title }) => ({
        url: textOf(url),
        title: textOf(title),
      })),
    ),
    ...failure("Web search", objectOf(content)),
  ],
  web_fetch_tool_result: ({ content }) => fetched(resultOf(content)),
  code_execution_tool_result: ({ content }) => executed("Code execution", resultOf(content)),
  bash_code_execution_tool_result: ({ content }) => executed("Command", resultOf(content)),
  text_editor_code_execution_tool_result: ({ content }) => edited(resultOf(content)),
  advisor_tool_result: ({ content }) => [
    ...block("Advice", textsIn(resultOf(content).text)),
    ...failure("Advice", resultOf(content)),
  ],
  document: ({ title, source }) =>
    block(textOf(title) || "Document", textsIn(objectOf(source).content)),
};

const toolWriters: Readonly<Record<string, (input: JsonObject) => Piece[]>> = {
  web_search: ({ query }) => listing("Web search", [textOf(query)]),
  web_fetch: ({ url }) =>
    textOf(url) === "" ? [] : line(`Page opened: ${link({ url: textOf(url) })}`),
  code_execution: ({ code }) => block("Code", textOf(code), "python"),
  bash_code_execution: ({ command }) => block("Shell command", textOf(command), "sh"),
  text_editor_code_execution: editing,
  advisor: () => [],
  tool_search_tool_regex: () => [],
  tool_search_tool_bm25: () => [],
};

/** Shows a tool without a writer of its own by its name and its input. */
function toolUse(name: string, input: JsonObject): Piece[] {
  if (Object.hasOwn(toolWriters, name)) return toolWriters[name](input);
  return [...listing("Tool called", [name]), ...block("Arguments", argumentsText(input), "json")];
}

const editorLabels: Readonly<Record<string, string>> = {
  view: "File viewed",
  create: "File created",
  str_replace: "File changed",
  insert: "File changed",
};

function editing(input: JsonObject): Piece[] {
  const command = textOf(input.command);
  const label = Object.hasOwn(editorLabels, command) ? editorLabels[command] : "File";
  return [
    ...listing(label, [textOf(input.path)]),
    ...block("Content", textOf(input.file_text)),
    ...block("Text replaced", textOf(input.old_str)),
    ...block("New text", textOf(input.new_str) || textOf(input.insert_text)),
  ];
}

function edited(result: JsonObject): Piece[] {
  const type = textOf(result.type);
  const lines = Array.isArray(result.lines) ? result.lines.map(textOf).join("\n") : "";
  return [
    ...(/(create|str_replace)_result$/.test(type) ? [] : block("Content", textsIn(result.content))),
    ...(/(create|view)_result$/.test(type) ? [] : block("Change", lines, "diff")),
    ...failure("Editing the file", result),
  ];
}

function fetched(result: JsonObject): Piece[] {
  const { title, source } = objectOf(result.content);
  const url = textOf(result.url);
  const { data, type } = objectOf(source);
  return [
    ...links([{ url, title: textOf(title) }]),
    ...(type === "text" ? block("Content", textOf(data)) : []),
    ...failure("Opening the page", result),
  ];
}

/** Encrypted outputs show only their errors and their exit status. */
function executed(what: string, result: JsonObject): Piece[] {
  const { return_code: code } = result;
  return [
    ...block("Output", textOf(result.stdout)),
    ...block("Errors", textOf(result.stderr)),
    ...line(typeof code === "number" && code !== 0 ? `Exit code: ${code}` : ""),
    ...failure(what, result),
  ];
}

/** A result by its type: the members of a failure or those of a success, whatever else is stated. */
function resultOf(content: JsonValue | undefined): JsonObject {
  const result = objectOf(content);
  const { error_code, error_message, ...success } = result;
  const type = textOf(result.type);
  if (type === "") return result;
  if (type.endsWith("_error")) return defined({ error_code, error_message });
  return /encrypted|redacted/.test(type) ? restOf(success, ["stdout", "text"]) : success;
}

function failure(what: string, { error_code: code, error_message: message }: JsonObject): Piece[] {
  if (typeof code !== "string") return [];
  return line([`${what} failed: ${code}`, textOf(message)].filter(Boolean).join(". "));
}

/** A string, or the texts in a list of blocks. */
function textsIn(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  return objectsOf(content).map(({ type, text }) => type === "image" ? "" : textOf(text))
    .filter(Boolean).join("\n");
}
