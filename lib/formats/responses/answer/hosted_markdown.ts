import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type NativePart,
} from "../../../canonical/mod.ts";
import {
  block,
  line,
  link,
  links,
  listing,
  markdownText,
  type Piece,
} from "../../answer/item_markdown.ts";
import { argumentsText, objectOf, objectsOf, restOf, textOf, textsOf } from "../../wire_value.ts";
import { format, mark } from "../native.ts";

/** True for an item of a hosted tool, whose type says who made it. */
export function isHostedItem(type: string): boolean {
  return Object.hasOwn(writers, type);
}

/** An item that only this format has, with its content as Markdown. */
export function nativeItem(item: JsonObject): NativePart {
  return { type: "native", format, value: item, ...hostedMarkdown(item) };
}

/** A content part of unknown type with its text; the mark distinguishes it from an item. */
export function nativeContent(part: JsonObject): NativePart {
  return {
    type: "native",
    format,
    value: part,
    isContent: true,
    ...markdownText(line(textOf(part.text))),
    ...mark(),
  };
}

/**
 * A hosted tool's item as Markdown. Empty for tool lists, references, screenshots and items of
 * unknown types.
 */
function hostedMarkdown(item: JsonObject): { text?: string } {
  const type = textOf(item.type);
  return Object.hasOwn(writers, type) ? markdownText(writers[type](item)) : {};
}

const writers: Readonly<Record<string, (item: JsonObject) => Piece[]>> = {
  web_search_call: webSearch,
  file_search_call: fileSearch,
  code_interpreter_call: ({ code, outputs }) => [
    ...block("Code", textOf(code), "python"),
    ...objectsOf(outputs).flatMap(codeOutput),
  ],
  computer_call: computerCall,
  local_shell_call: ({ action }) =>
    block("Shell command", textsOf(objectOf(action).command).join(" "), "sh"),
  local_shell_call_output: ({ output }) => block("Shell output", textOf(output)),
  shell_call: ({ action }) =>
    block("Shell command", textsOf(objectOf(action).commands).join("\n"), "sh"),
  shell_call_output: ({ output }) =>
    typeof output === "string"
      ? block("Shell output", output)
      : objectsOf(output).flatMap(shellOutput),
  apply_patch_call: ({ operation }) => patch(objectOf(operation)),
  apply_patch_call_output: ({ output, status }) => [
    ...line(status === "failed" ? "The patch failed." : ""),
    ...block("Patch output", textOf(output)),
  ],
  mcp_call: mcpCall,
  mcp_approval_request: (item) => [
    ...listing("Approval requested for the tool", [mcpName(item)]),
    ...block("Arguments", textOf(item.arguments), "json"),
  ],
  mcp_approval_response: ({ approve, reason }) =>
    line([approve === true ? "Approved." : "Not approved.", textOf(reason)].join(" ").trim()),
  image_generation_call: ({ result, revised_prompt: prompt }) =>
    result ? listing("Image generated", [textOf(prompt)]) : [],
  program: ({ code }) => block("Code", textOf(code), "javascript"),
  program_output: ({ result }) => block("Output", textOf(result)),
};

function computerCall({ action, actions, pending_safety_checks: checks }: JsonObject): Piece[] {
  const done = [...objectsOf(actions), objectOf(action)].map(argumentsText).filter(Boolean);
  return [
    ...block("Computer action", done.join("\n"), "json"),
    ...objectsOf(checks).flatMap(({ code, message }) =>
      line(`Safety check: ${[textOf(code), textOf(message)].filter(Boolean).join(": ")}`)
    ),
  ];
}

function webSearch({ action, status }: JsonObject): Piece[] {
  const stated = objectOf(action);
  const { type, query, queries, url, pattern, sources } = restOf(
    stated,
    foreignMembers.get(stated.type) ?? [],
  );
  const asked = textsOf(queries).length > 0 ? textsOf(queries) : [textOf(query)];
  const page = textOf(url);
  return [
    ...listing("Web search", asked),
    ...(type === "open_page" && page !== "" ? line(`Page opened: ${link({ url: page })}`) : []),
    ...listing(`Text searched in the page ${page}`.trim(), [textOf(pattern)]),
    ...links(objectsOf(sources).map(sourceOf)),
    ...line(status === "failed" ? "The web search failed." : ""),
  ];
}

/** Members of other types of action, which may be stated beside those of its own. */
const foreignMembers: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>(
  [
    ["search", ["url", "pattern"]],
    ["open_page", ["query", "queries", "pattern", "sources"]],
    ["find_in_page", ["query", "queries", "sources"]],
  ],
);

function sourceOf({ url, title }: JsonObject) {
  return { url: textOf(url), title: textOf(title) };
}

function fileSearch({ queries, results }: JsonObject): Piece[] {
  return [
    ...listing("File search", textsOf(queries)),
    ...objectsOf(results).flatMap(({ filename, file_id: id, text }) =>
      block(textOf(filename) || textOf(id) || "Result", textOf(text))
    ),
  ];
}

/** Images of the interpreter become links, unless they are data URLs. */
function codeOutput({ type, logs, url }: JsonObject): Piece[] {
  return type === "image"
    ? links([{ url: textOf(url), title: "Image" }])
    : block("Output", textOf(logs));
}

function shellOutput({ stdout, stderr, outcome }: JsonObject): Piece[] {
  const { type, exit_code: code } = objectOf(outcome);
  return [
    ...block("Shell output", textOf(stdout)),
    ...block("Shell errors", textOf(stderr)),
    ...line(
      type === "timeout"
        ? "The command timed out."
        : typeof code === "number" && code !== 0
        ? `Exit code: ${code}`
        : "",
    ),
  ];
}

const patchLabels: Readonly<Record<string, string>> = {
  create_file: "File created",
  update_file: "File changed",
  delete_file: "File deleted",
};

function patch({ type, path, diff }: JsonObject): Piece[] {
  const label = Object.hasOwn(patchLabels, textOf(type)) ? patchLabels[textOf(type)] : "File";
  const change = type === "delete_file" ? "" : textOf(diff);
  return [...listing(label, [textOf(path)]), ...block("Patch", change, "diff")];
}

function mcpCall(item: JsonObject): Piece[] {
  return [
    ...listing("Tool called", [mcpName(item)]),
    ...block("Arguments", textOf(item.arguments), "json"),
    ...block("Output", textOf(item.output)),
    ...block("Error", errorText(item.error)),
  ];
}

function mcpName({ server_label: server, name }: JsonObject): string {
  return [textOf(server), textOf(name)].filter(Boolean).join(".");
}

/** The message of an error, which is a text, or since November 2026 an object. */
function errorText(error: JsonValue | undefined): string {
  if (!isJsonObject(error)) return textOf(error);
  const content = objectsOf(error.content).map(({ text }) => textOf(text)).filter(Boolean);
  const message = textOf(error.message) || textOf(error.content) || content.join("\n");
  if (message === "") return argumentsText(error);
  const rest = argumentsText(restOf(error, ["type", "message", "content"]));
  return [message, rest].filter(Boolean).join("\n");
}
