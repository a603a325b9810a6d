import type { Change, JsonObject, JsonValue, Tool } from "../../canonical/mod.ts";
import { objectsOf, restOf } from "../wire_value.ts";
import { mark, ownFields } from "./native.ts";
import type { RequestContext } from "./request_context.ts";
import { decodeTools, encodeTools } from "./tools.ts";

/**
 * Tools that an item of the input brings instead of the request itself, as Codex does for its newer
 * models (0.169.0, 2026-11-21). Here they are tools like others, so that a model of any format can
 * call them.
 */
export const additionalTools = "additional_tools";

/** The item stays in the conversation: its place, or a tool in it, means something to its vendor alone. */
const kept = "kept";

/** The tools of an item that leads the conversation; undefined where it holds tools that only this format knows. */
export function decodeLeadingTools(item: JsonObject): Tool[] | undefined {
  const tools = decodeTools(item.tools);
  const head = restOf(item, ["type", "tools"]);
  if (tools.length === 0 || !tools.every(isPlain)) return undefined;
  return tools.map((tool) => marked(tool, head));
}

/** The tools that an item adds from its place on; undefined if only this format knows one of them. */
export function changeOfKept(item: JsonObject): Change | undefined {
  const tools = decodeTools(item.tools);
  return tools.every(isPlain) ? { addedTools: tools.map(({ name }) => name) } : undefined;
}

/** The tools of an item that stays where it is. */
export function decodeKeptTools(item: JsonObject): Tool[] {
  return decodeTools(item.tools).filter(isPlain).map((tool) => marked(tool, kept));
}

/** The items that lead the input; neighbours of one item stand in it together. */
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

/** Whether a tool stands in an item of the input, so that it must not be stated twice. */
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
