import type { JsonObject, TextPart, Tool, Turn } from "../../canonical/mod.ts";
import { noMembers, objectsOf, textOf } from "../wire_value.ts";
import { decodeContent, decodeText } from "./content.ts";
import { decodeMessageFields, inlineTools, isPlainText } from "./conversation_changes.ts";

interface Conversation {
  readonly instructions: readonly TextPart[];
  readonly turns: readonly Turn[];
  /** The tools that messages define. */
  readonly inline: readonly Tool[];
  /** The block in which an agent identifies itself. */
  readonly attribution?: JsonObject;
}

/** The system text with leading system messages, and the messages after them. */
export function decodeConversation(body: JsonObject): Conversation {
  const { attribution, system } = decodeSystem(body.system);
  const messages = objectsOf(body.messages);
  const first = leadingCount(messages);
  const lastOfUser = messages.findLastIndex(({ role }) => role === "user");
  const turns: Turn[] = [];
  for (let at = first; at < messages.length; at++) {
    turns.push(decodeTurn(messages[at], at > lastOfUser));
  }
  return {
    instructions: first === 0
      ? system
      : [...system, ...messages.slice(0, first).flatMap(instructionsOf)],
    turns,
    inline: inlineTools(messages),
    ...(attribution && { attribution }),
  };
}

/** Prefix of the line in which agents of this vendor identify themselves. */
const attributionBeginning = "x-anthropic-billing-header";

/**
 * The system text. An agent's first block may identify the agent and changes with every request: it
 * would defeat the prompt cache of other vendors, so it is kept apart (seen 2026-11).
 */
function decodeSystem(system: unknown): { system: TextPart[]; attribution?: JsonObject } {
  if (typeof system === "string") {
    return { system: system === "" ? [] : [{ type: "text", text: system }] };
  }
  const blocks = objectsOf(system);
  const [first] = blocks;
  if (!first || !textOf(first.text).startsWith(attributionBeginning)) {
    return { system: blocks.map(decodeText) };
  }
  return { system: blocks.slice(1).map(decodeText), attribution: first };
}

function instructionsOf({ content }: JsonObject): TextPart[] {
  return decodeContent(content).filter((part) => part.type === "text");
}

/** Counts the leading system messages that are plain text; others keep their place. */
function leadingCount(messages: readonly JsonObject[]): number {
  let count = 0;
  while (messages[count]?.role === "system" && isPlainText(messages[count])) count++;
  return count;
}

function decodeTurn(message: JsonObject, isLastOfUser: boolean): Turn {
  const role = message.role === "assistant" || message.role === "system" ? message.role : "user";
  const parts = decodeContent(message.content);
  const fields = decodeMessageFields(message, isLastOfUser);
  return fields === noMembers ? { role, parts } : { role, parts, ...fields };
}
