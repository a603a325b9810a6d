import type {
  CanonicalRequest,
  JsonObject,
  Part,
  TextPart,
  ToolCallPart,
  Turn,
} from "../../canonical/mod.ts";
import { mapped, type Steps } from "../../pace.ts";
import { defined, objectOf } from "../wire_value.ts";
import { encodeLeadingTools } from "./conversation_changes.ts";
import { encodeInput, encodeInputs, losesCitations, noteLosses } from "./content.ts";
import { approvalItems } from "./approval.ts";
import { type ContentPart, encodeMessage, groupsOf } from "./items.ts";
import { ownFields } from "./native.ts";
import {
  encodeCall,
  encodePart,
  encodeReasoning,
  encodeResult,
  isWholeItem,
  type TurnContext,
} from "./part_encoder.ts";
import type { RequestContext } from "./request_context.ts";

/** `instructions` and `input`. */
export function* encodeConversation(
  { instructions, turns, tools }: CanonicalRequest,
  context: RequestContext,
): Steps<{ instructions?: string; input: JsonObject[] }> {
  const isAll = turns.length === 0 && !context.own;
  const leading = encodeInstructions(instructions, isAll, context);
  const kinds = callKinds(turns);
  const approvals = approvalItems(turns);
  yield;
  const said = yield* mapped(
    turns,
    (turn, index) => encodeTurn(turn, `turns[${index}]`, { ...context, kinds, approvals }),
  );
  const before = [...encodeLeadingTools(tools, context), ...leading.input];
  return { ...leading, input: [...before, ...said.flat()] };
}

function callKinds(turns: readonly Turn[]): Map<string, ToolCallPart["kind"]> {
  const kinds = new Map<string, ToolCallPart["kind"]>();
  for (const { parts } of turns) {
    for (const part of parts) if (part.type === "tool-call") kinds.set(part.id, part.kind);
  }
  return kinds;
}

/**
 * Encodes instructions. Those that came as messages stay messages. Others become one text, or a
 * developer message if one of them has a cache breakpoint, which the text cannot have, or if there
 * is nothing else: the vendor refuses an empty input.
 */
function encodeInstructions(
  parts: readonly TextPart[],
  isAll: boolean,
  { notes }: RequestContext,
): { instructions?: string; input: JsonObject[] } {
  const plain = parts.filter((part) => !isMessagePart(part));
  const messages = messagesOf(parts.filter(isMessagePart)).map((list) => ({
    ...messageHead(list[0]),
    content: encodeInputs(list, "instructions", notes),
  }));
  if (plain.length === 0) return { input: messages };
  const content = encodeInputs(plain, "instructions", notes);
  if (isAll || plain.some(({ cache }) => cache)) {
    return { input: [{ type: "message", role: "developer", content }, ...messages] };
  }
  return { instructions: plain.map(({ text }) => text).join("\n\n"), input: messages };
}

export function isMessagePart(part: TextPart): boolean {
  const own = ownFields(part);
  return own?.role !== undefined || own?.continues !== undefined;
}

function messagesOf(parts: readonly TextPart[]): TextPart[][] {
  const messages: TextPart[][] = [];
  for (const part of parts) {
    const last = messages.at(-1);
    if (last && ownFields(part)?.continues) last.push(part);
    else messages.push([part]);
  }
  return messages;
}

function messageHead(part: TextPart): JsonObject {
  const { id, status, phase, role, item } = ownFields(part) ?? {};
  return defined({
    ...objectOf(item),
    id,
    status,
    phase,
    type: "message",
    role: role ?? "developer",
  });
}

function encodeTurn(turn: Turn, path: string, context: TurnContext): JsonObject[] {
  context.notes.foreign(turn.native, `${path}.native`);
  switch (turn.role) {
    case "user":
    case "system":
      return encodeMessageTurn(turn, path, context);
    case "assistant":
      return encodeAssistantTurn(turn, path, context);
    default:
      return turn.role satisfies never;
  }
}

/**
 * Writes results and whole items first, because they answer the previous calls; then one message
 * with the rest.
 */
function encodeMessageTurn(turn: Turn, path: string, context: TurnContext): JsonObject[] {
  const items: JsonObject[] = [];
  const content: JsonObject[] = [];
  for (const [index, part] of turn.parts.entries()) {
    const at = `${path}.parts[${index}]`;
    noteLosses(part, at, context.notes);
    if (part.type === "tool-result") items.push(encodeResult(part, at, context));
    else if (part.type === "tool-call") items.push(encodeCall(part, context));
    else if (isWholeItem(part)) items.push(objectOf(part.value));
    else {
      const encoded = encodeInput(part, at, context.notes);
      if (encoded) content.push(encoded);
    }
  }
  if (content.length === 0 && turn.parts.length > 0) return items;
  const own = ownFields(turn) ?? {};
  const role = turn.role === "user" ? "user" : "developer";
  return [...items, { type: "message", role, ...own, content }];
}

function encodeAssistantTurn(turn: Turn, path: string, context: TurnContext): JsonObject[] {
  const items: JsonObject[] = [];
  const paths = new Map<Part, string>();
  for (const [index, part] of turn.parts.entries()) {
    const at = `${path}.parts[${index}]`;
    paths.set(part, at);
    noteLosses(part, at, context.notes);
    if (part.type === "text" && losesCitations(part)) {
      context.notes.add("citations", `${at}.citations`);
    }
    if (part.cache && !ownFields(part.cache)) context.notes.add("answerCache", `${at}.cache`);
  }
  const place = (part: Part) => paths.get(part) ?? path;
  const groups = groupsOf(turn.parts);
  for (const [index, group] of groups.entries()) {
    if (group.type === "message") {
      items.push(encodeMessage(group.parts satisfies ContentPart[], {}));
    } else if (group.type === "part") {
      items.push(...encodePart(group.part, place(group.part), context));
    } else items.push(...encodeReasoning(group.parts, index === groups.length - 1, place, context));
  }
  return items;
}
