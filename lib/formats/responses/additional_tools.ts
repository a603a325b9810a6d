import type { Change, JsonObject, JsonValue, Tool } from "../../canonical/mod.ts";
import { objectsOf, restOf } from "../wire_value.ts";
import { mark, ownFields } from "./native.ts";
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
