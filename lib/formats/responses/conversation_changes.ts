import {
  type Change,
  efforts,
  type JsonObject,
  type JsonValue,
  type NativePart,
  type Tool,
} from "../../canonical/mod.ts";
import { objectOf, objectsOf, restOf, saysNothing } from "../wire_value.ts";
import { format, mark, ownFields } from "./native.ts";
import { decodeText } from "./output.ts";
import type { RequestContext } from "./request_context.ts";
import { decodeTools, encodeTools } from "./tools.ts";

/**
 * Tools in an item of the input instead of the request itself, as Codex sends them for its newer
 * models (0.169.0, 2026-11-21). They become ordinary tools, so that models of any format can call
 * them.
 */
export const additionalTools = "additional_tools";

/** Marks an item that stays in the conversation: only its vendor understands its place or one of its tools. */
const kept = "kept";

/** The tools of an item that leads the conversation; undefined if only this format has one of them. */
export function decodeLeadingTools(item: JsonObject): Tool[] | undefined {
  const tools = decodeTools(item.tools);
  const head = restOf(item, ["type", "tools"]);
  if (tools.length === 0 || !tools.every(isPlain)) return undefined;
  return tools.map((tool) => marked(tool, head));
}

/** The tools that an item adds from its place on; undefined if only this format has one of them. */
export function changeOfKept(item: JsonObject): Change | undefined {
  const tools = decodeTools(item.tools);
  return tools.every(isPlain) ? { addedTools: tools.map(({ name }) => name) } : undefined;
}

/** The tools of an item that stays at its place. */
export function decodeKeptTools(item: JsonObject): Tool[] {
  return decodeTools(item.tools).filter(isPlain).map((tool) => marked(tool, kept));
}

/** The items that lead the input; adjacent tools of one item are joined in it. */
export function encodeLeadingTools(
  tools: readonly Tool[],
  context: RequestContext,
): JsonObject[] {
  const groups = Map.groupBy(
    tools.filter((tool) => isAdditional(tool) && headOf(tool) !== kept),
    (tool) => JSON.stringify(headOf(tool)),
  );
  return [...groups].map(([head, members]) => ({
    type: additionalTools,
    ...objectsOf([JSON.parse(head)])[0],
    tools: encodeTools(members.map(unmarked), context),
  }));
}

/** Returns true if a tool is part of an input item, so that it must not be stated twice. */
export function isAdditional(tool: Tool): boolean {
  return headOf(tool) !== undefined;
}

type PlainTool = Extract<Tool, { type: "function" | "custom" }>;

function isPlain(tool: Tool): tool is PlainTool {
  return tool.type === "function" || tool.type === "custom";
}

function headOf(tool: Tool): JsonValue | undefined {
  return isPlain(tool) ? ownFields(tool)?.additional : undefined;
}

function marked(tool: PlainTool, additional: JsonValue): Tool {
  return { ...tool, ...mark({ ...ownFields(tool), additional }) };
}

function unmarked(tool: Tool): Tool {
  if (!isPlain(tool)) return tool;
  return { ...tool, ...mark(restOf(ownFields(tool) ?? {}, ["additional"])) };
}

/** An item that changes effort or output format from its place on, until the next one (2026-11). */
export const configurationUpdate = "configuration_update";

/** The item as a native part, with a canonical change if that expresses all of the item. */
export function decodeConfigurationUpdate(item: JsonObject): NativePart {
  const change = changeOf(item);
  return { type: "native", format, value: item, ...(change && { change }) };
}

function changeOf({ type: _, id: _id, reasoning, text, ...rest }: JsonObject): Change | undefined {
  const { effort: word, ...restOfReasoning } = objectOf(reasoning);
  const { format: _format, ...restOfText } = objectOf(text);
  const effort = efforts.find((name) => name === word);
  const { output } = decodeText(objectOf(text));
  const isKnown = [rest, restOfReasoning, restOfText].every(isNothing) &&
    Boolean(reasoning) === (effort !== undefined) && Boolean(text) === (output !== undefined);
  if (!isKnown) return undefined;
  return { ...(effort !== undefined && { effort }), ...(output && { output }) };
}

function isNothing(object: object): boolean {
  return Object.values(object).every(saysNothing);
}
