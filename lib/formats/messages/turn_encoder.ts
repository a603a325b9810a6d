import {
  type CanonicalRequest,
  continueText,
  type JsonObject,
  type TextPart,
  type Turn,
} from "../../canonical/mod.ts";
import { mapped, type Steps } from "../../pace.ts";
import { isEmpty } from "../wire_value.ts";
import { encodeChange } from "./conversation_changes.ts";
import { ownFields } from "./native.ts";
import { contentOf, encodePart, encodeText } from "./part_encoder.ts";
import type { RequestContext } from "./request_context.ts";

/** A message being encoded: its blocks and its other members. */
interface Message {
  readonly role: Turn["role"];
  readonly blocks: readonly JsonObject[];
  readonly fields: JsonObject;
}

/** The messages: turns of one role merged, results first, the user's turn at the start. */
export function* encodeTurns(
  { turns }: CanonicalRequest,
  context: RequestContext,
): Steps<JsonObject[]> {
  yield;
  const systemTaken = systemTakenAt(turns, context);
  const all = yield* mapped(
    turns,
    (turn, index) =>
      encodeTurn(turn, `turns[${index}]`, { systemTaken: systemTaken.has(index), context }),
  );
  const messages = all
    .filter(({ blocks, fields }) => blocks.length > 0 || (context.own && !isEmpty(fields)));
  yield;
  const arranged = context.own ? messages : arrange(messages, context);
  yield;
  return arranged.map(({ role, blocks, fields }) => ({
    ...fields,
    role,
    ...(blocks.length > 0 && { content: contentOf(blocks) }),
  }));
}

/** Text parts as blocks, for `system` and for system messages. */
export function encodeTexts(
  parts: readonly TextPart[],
  path: string,
  context: RequestContext,
): JsonObject[] {
  return parts.flatMap((part, index) => encodeText(part, `${path}[${index}]`, context));
}

interface TurnPlace {
  /** True if a system message is accepted at this position. */
  readonly systemTaken: boolean;
  readonly context: RequestContext;
}

function encodeTurn(turn: Turn, path: string, { systemTaken, context }: TurnPlace): Message {
  context.notes.foreign(turn.native, `${path}.native`);
  const role = turn.role === "system" && !systemTaken ? "user" : turn.role;
  const blocks: JsonObject[] = [];
  for (const [at, part] of turn.parts.entries()) {
    blocks.push(...encodePart(part, { role: turn.role, path: `${path}.parts[${at}]` }, context));
  }
  if (role === turn.role) {
    return { role, blocks, fields: { ...ownFields(turn), ...encodeChange(turn) } };
  }
  if (blocks.length > 0) context.notes.add("systemTurn", path);
  return { role, blocks: blocks.map(asReminder), fields: {} };
}

/** Newer models accept a system message after another one and before the model's turn, or at the end. */
function systemTakenAt(turns: readonly Turn[], { own, traits }: RequestContext): Set<number> {
  const taken = new Set<number>();
  let next: Turn["role"] | undefined;
  for (let index = turns.length - 1; index >= 0; index--) {
    const { role } = turns[index];
    if (role !== "system") next = role;
    else if (own || (traits.systemTurns && index > 0 && next !== "user")) taken.add(index);
  }
  return taken;
}

function asReminder(block: JsonObject): JsonObject {
  return { ...block, text: `<system-reminder>\n${block.text}\n</system-reminder>` };
}

function arrange(messages: readonly Message[], { notes }: RequestContext): Message[] {
  const merged: (Message & { readonly blocks: JsonObject[] })[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== message.role) merged.push({ ...message, blocks: [...message.blocks] });
    else for (const block of message.blocks) last.blocks.push(block);
  }
  if (merged[0]?.role !== "user") {
    notes.add("firstTurn");
    merged.unshift({
      role: "user",
      blocks: [{ type: "text", text: continueText.text }],
      fields: {},
    });
  }
  const last = merged.pop();
  return [...merged, ...(last ? [trimmedEnd(last)] : [])].map(resultsFirst);
}

/** The vendor requires the results of a turn before its other parts. */
function resultsFirst(message: Message): Message {
  if (message.role !== "user") return message;
  const isResult = ({ type }: JsonObject) => type === "tool_result";
  const results = message.blocks.filter(isResult);
  if (results.length === 0) return message;
  return { ...message, blocks: [...results, ...message.blocks.filter((b) => !isResult(b))] };
}

/** A prefilled assistant turn must not end in white space. */
function trimmedEnd(message: Message): Message {
  const block = message.blocks.at(-1);
  if (message.role !== "assistant" || typeof block?.text !== "string") return message;
  const text = block.text.trimEnd();
  return { ...message, blocks: [...message.blocks.slice(0, -1), { ...block, text }] };
}
