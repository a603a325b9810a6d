import type {
  JsonObject,
  NativePart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from "../../canonical/mod.ts";
import { objectIn, textOf } from "../wire_value.ts";

/**
 * The tool call that represents a request to approve an MCP call, for callers whose formats have
 * none. Its arguments contain the whole item, because some clients drop a call's id.
 */
const approvalName = "mcp_approval_request";

/** The call that asks a caller of another format for approval; undefined for other items. */
export function approvalCall(item: JsonObject): NativePart["call"] {
  const { id, type, server_label, name, arguments: input } = item;
  if (type !== approvalName || typeof id !== "string") return undefined;
  const asked = { id, server_label, name, arguments: input };
  return { id, name: approvalName, arguments: JSON.stringify(asked) };
}

/**
 * The items behind calls that requested approval, by the call's id. The arguments distinguish them
 * from calls of a caller's own tool with that name; some callers declare every tool that was
 * called.
 */
export function approvalItems(turns: readonly Turn[]): ReadonlyMap<string, JsonObject> {
  const items = new Map<string, JsonObject>();
  for (const { parts } of turns) {
    for (const part of parts) {
      const item = part.type === "tool-call" ? approvalItem(part) : undefined;
      if (item && part.type === "tool-call") items.set(part.id, item);
    }
  }
  return items;
}

/** The approval decision in a caller's result. */
export function approvalResponse({ id }: JsonObject, result: ToolResultPart): JsonObject {
  const texts = result.parts.map((part) => part.type === "text" ? part.text : "");
  const text = texts.join("\n").trim();
  const approve = !result.isError && approves(text);
  return {
    type: "mcp_approval_response",
    approval_request_id: id,
    approve,
    ...(!approve && text !== "" && { reason: text.slice(0, reasonCharsMax) }),
  };
}

const reasonCharsMax = 2000;

function approvalItem({ kind, name, arguments: text }: ToolCallPart): JsonObject | undefined {
  if (kind !== "function" || name !== approvalName) return undefined;
  const { id, server_label, name: tool, arguments: input } = objectIn(text) ?? {};
  const isWhole = [id, server_label, tool, input].every((value) => textOf(value) !== "");
  if (!isWhole) return undefined;
  return { id, type: approvalName, server_label, name: tool, arguments: input };
}

const words = /^(?:y|yes|true|ok|okay|approve|approved|allow|allowed|accept|accepted)[.!]?$/i;

/** Only a plain yes approves; any other result refuses the call. */
function approves(text: string): boolean {
  const said = objectIn(text);
  if (!said) return words.test(text.replace(/^"(.*)"$/, "$1"));
  const { approve, approved, output, result } = said;
  const answer = approve ?? approved ?? output ?? result;
  return answer === true || (typeof answer === "string" && words.test(answer.trim()));
}
