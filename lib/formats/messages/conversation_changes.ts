import type { Change, JsonObject, Tool, Turn } from "../../canonical/mod.ts";
import { objectOf, objectsOf, restOf, saysNothing, statesOnly, textOf } from "../wire_value.ts";
import { keep, mark, ownFields } from "./native.ts";
import { isKnownEffort } from "./reasoning.ts";
import { decodeTools } from "./tools.ts";

/** Decodes changes of settings and tools within the conversation (betas of 2026-07 to 2026-09). */

/** The change of a block that adds or removes a tool; undefined if the tool belongs to an MCP server. */
export function changeOfBlock({ type, tool }: JsonObject): Change | undefined {
  const { type: kind, name } = objectOf(tool);
  const added = inlineTool(objectOf(tool));
  if (type === "tool_addition" && added) return { addedTools: [added.name] };
  if (kind !== "tool_reference" || textOf(name) === "") return undefined;
  if (type === "tool_addition") return { addedTools: [textOf(name)] };
  return type === "tool_removal" ? { removedTools: [textOf(name)] } : undefined;
}

/** The tools that blocks of the messages define, in their order. */
export function inlineTools(messages: readonly JsonObject[]): Tool[] {
  const tools: Tool[] = [];
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue;
    for (const { type, tool } of objectsOf(content)) {
      const inline = type === "tool_addition" ? inlineTool(objectOf(tool)) : undefined;
      if (inline) tools.push(inline);
    }
  }
  return tools;
}

function inlineTool({ type, definition }: JsonObject) {
  if (type !== "tool_definition") return undefined;
  const [tool] = decodeTools([objectOf(definition)]);
  if (tool?.type !== "function" || tool.name === "") return undefined;
  return { ...tool, ...mark({ ...ownFields(tool), inline: true }) };
}

/** The members of a message other than role and content: settings, visibility, native fields. */
export function decodeMessageFields(
  message: JsonObject,
  isLastOfUser: boolean,
): Pick<Turn, "change" | "isOutlived" | "native"> {
  if (message.role !== "system") return keep(restOf(message, knownMembers));
  const change = settingsOf(objectOf(message.output_config));
  const known = [...knownMembers, ...(change ? ["output_config"] : [])];
  return {
    ...(change && { change }),
    ...(message.clear_at === "next_user_message" && !isLastOfUser && { isOutlived: true }),
    ...keep(restOf(message, known)),
  };
}

const knownMembers = ["role", "content"];

/** The settings of a message as it states them. */
export function encodeChange({ change }: Turn): JsonObject {
  return change?.effort === undefined ? {} : { output_config: { effort: change.effort } };
}

function settingsOf({ effort, ...rest }: JsonObject): Change | undefined {
  return Object.values(rest).every(saysNothing) && isKnownEffort(effort) ? { effort } : undefined;
}

/** Returns true if a leading message is plain text, and so belongs to the system text. */
export function isPlainText(message: JsonObject): boolean {
  const { content } = message;
  const isText = typeof content === "string" ||
    objectsOf(content).every(({ type }) => type === "text");
  return isText && statesOnly(message, knownMembers);
}
