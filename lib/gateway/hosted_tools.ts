import { isJsonObject, type JsonObject, type JsonValue } from "../canonical/mod.ts";

/** JSON escapes of letters, digits and underscores, which hide words from a text search. */
export const spelledOut = /\\u00[3-7][0-9a-f]/i;
/** Names of hosted tools in all formats. */
const hostedNames =
  /(?:web|google|file)_?search|web_fetch|url_?context|code_?execution|code_interpreter/;
/** A name of a hosted tool, or an escape, which may spell one. */
export const toolNames = new RegExp(`${hostedNames.source}|${spelledOut.source}`, "i");
/** A member of the input that adds tools (responses). */
export const addedTools = /additional_tools/i;

/** Members that hold the conversation. A tool's name inside them is only text. */
const contents: ReadonlySet<string> = new Set([
  "messages",
  "contents",
  "input",
  "instructions",
  "system",
  "systemInstruction",
  "system_instruction",
]);
/** Members of a tool that the caller runs. */
const functionMembers = ["function", "input_schema", "parameters"];
/** Members that list the caller's functions next to hosted tools. */
const functionLists: ReadonlySet<string> = new Set([
  "functionDeclarations",
  "function_declarations",
]);

/** Calls of a hosted tool to reserve for if the request sets no limit; few requests make more. */
const callsAssumed = 8;

/**
 * The number of hosted tool calls to reserve for: the request's own limit if it sets one. `text` is
 * its body's text. Reads the settings and the tools, which are short: the whole text is searched for
 * one word only.
 */
export function hostedToolCallsIn(body: JsonObject, text: string): number {
  if (addedTools.test(text)) return names(text) ? callsAssumed : 0;
  for (const name in body) if (isHostedSetting(name, body)) return callsAssumed;
  if (body.tools === undefined) return 0;
  const tools = hostedIn(body.tools).filter(mentions);
  return tools.reduce((sum: number, tool) => sum + usesOf(tool), 0);
}

function isHostedSetting(name: string, body: JsonObject): boolean {
  if (contents.has(name) || name === "tools") return false;
  const value = body[name];
  if (value === undefined) return false;
  return names(name) || mentions(value);
}

/** The shortest is an escape; a longer string is prose. */
const nameChars = { min: 6, max: 512 };
/** A value with more strings is not searched to its end. */
const stringsMax = 10_000;

/** Returns true if a value has the name of a hosted tool, or too many strings to look at each. */
function mentions(root: JsonValue): boolean {
  let left = stringsMax;
  const isNamed = (text: string) =>
    --left < 0 || (text.length >= nameChars.min && text.length <= nameChars.max && names(text));
  const isIn = (value: JsonValue | undefined): boolean => {
    if (typeof value === "string") return isNamed(value);
    if (Array.isArray(value)) return value.some(isIn);
    if (!isJsonObject(value)) return false;
    for (const name in value) if (isNamed(name) || isIn(value[name])) return true;
    return false;
  };
  return isIn(root);
}

function usesOf(tool: JsonValue): number {
  const uses = isJsonObject(tool) ? tool.max_uses : undefined;
  return typeof uses === "number" && uses >= 0 ? Math.ceil(uses) : callsAssumed;
}

function names(text: string): boolean {
  return toolNames.test(text);
}

/** The tools that the vendor runs: without those that the caller runs itself. */
function hostedIn(tools: JsonValue | undefined): readonly JsonValue[] {
  const all = Array.isArray(tools) ? tools : [tools ?? null];
  return all.flatMap((tool): JsonValue[] => {
    if (!isJsonObject(tool)) return [tool];
    if (functionMembers.some((name) => name in tool)) return [];
    return [Object.fromEntries(Object.entries(tool).filter(([name]) => !functionLists.has(name)))];
  });
}
