import type { JsonObject } from "../../canonical/mod.ts";
import { objectsOf, textOf } from "../wire_value.ts";
import { decodeSignature } from "./calls.ts";
import { thoughtMembers } from "./thoughts.ts";

/** The members of an assistant's message that have a place in the canonical form. */
export const assistantMembers: ReadonlySet<string> = new Set([
  "role",
  "content",
  ...thoughtMembers,
  "refusal",
  "annotations",
  "audio",
  "images",
  "tool_calls",
  "function_call",
  "extra_content",
]);

/**
 * Moves every member of an assistant's message to its place. OpenAI's Agents SDK (0.20, 2026-11-22)
 * copies members of a message into its parts, and members of its calls into the message: reasoning
 * moves back to the message, the continuation of a call is removed from the text, and duplicates
 * are dropped.
 */
export function withoutRepeats(message: JsonObject): JsonObject {
  const own = repeatsCall(message) ? { ...message, extra_content: undefined } : message;
  if (!Array.isArray(message.content)) return own;
  const parts = objectsOf(message.content);
  return { ...thoughtsIn(parts), ...own, content: parts.map(withoutMembers) };
}

function repeatsCall(message: JsonObject): boolean {
  const proof = decodeSignature(message).continuation?.data;
  return proof !== undefined &&
    objectsOf(message.tool_calls).some((call) =>
      decodeSignature(call).continuation?.data === proof
    );
}

function thoughtsIn(parts: readonly JsonObject[]): JsonObject {
  const thoughts = parts.filter(isSaid).flatMap((part) =>
    Object.entries(part).filter(([name]) => thoughtMembers.includes(name))
  );
  return Object.fromEntries(thoughts);
}

/** Keeps a part's own member, which has the name of the part's type. */
function withoutMembers(part: JsonObject): JsonObject {
  if (!isSaid(part)) return part;
  return Object.fromEntries(
    Object.entries(part).filter(([name]) => name === part.type || !assistantMembers.has(name)),
  );
}

function isSaid({ type }: JsonObject): boolean {
  return ["text", "refusal"].includes(textOf(type));
}
