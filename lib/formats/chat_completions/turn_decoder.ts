import type {
  CanonicalRequest,
  JsonObject,
  Part,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from "../../canonical/mod.ts";
import { filledText, isEmpty, objectOf, objectsOf, textOf, textOrNothing } from "../wire_value.ts";
import { assistantMembers, decodeCitation } from "./answer/part.ts";
import { cacheMembers, decodeCache } from "./cache.ts";
import { decodeCalls, decodeSignature, madeCallId } from "./calls.ts";
import { decodeContent } from "./content.ts";
import { decodeImages } from "./media.ts";
import { extraMembers, format, keep, mark } from "./native.ts";
import { decodeThoughts, thoughtMembers } from "./thoughts.ts";

const plainMembers = new Set(["role", "content"]);
const toolMembers = new Set([...plainMembers, "tool_call_id", "name", ...cacheMembers]);

/** The calls so far: a result states neither the kind of its call nor, with deprecated functions, its id. */
interface Calls {
  readonly byId: Map<string, ToolCallPart>;
  readonly deprecated: Map<string, string>;
}

/** Leading system and developer messages are instructions; every other message is a turn of its own. */
export function decodeMessages(
  messages: readonly JsonObject[],
): Pick<CanonicalRequest, "instructions" | "turns"> {
  const calls: Calls = { byId: new Map(), deprecated: new Map() };
  const instructions: TextPart[] = [];
  const turns: Turn[] = [];
  for (const [position, message] of messages.entries()) {
    const leading = turns.length === 0 ? decodeInstruction(message) : undefined;
    if (leading) instructions.push(...leading);
    else turns.push(decodeTurn(message, position, calls));
  }
  return { instructions, turns };
}

/** The texts of a system message; the first holds the fields of the message. */
function decodeInstruction(message: JsonObject): TextPart[] | undefined {
  if (message.role !== "system" && message.role !== "developer") return undefined;
  const parts = decodeContent(message.content);
  if (parts.length === 0) parts.push({ type: "text", text: "" });
  const texts = parts.filter((part) => part.type === "text");
  if (texts.length < parts.length) return undefined;
  const [first, ...others] = texts;
  const fields = { role: message.role, ...extraMembers(message, plainMembers) };
  return [{ ...first, ...mark({ ...first.native?.fields, ...fields }) }, ...others];
}

function decodeTurn(message: JsonObject, position: number, calls: Calls): Turn {
  switch (message.role) {
    case "tool":
    case "function":
      return { role: "user", parts: [decodeResult(message, calls)] };
    case "assistant":
      return decodeAssistant(withoutRepeats(message), position, calls);
    case "user":
      return {
        role: "user",
        parts: decodeContent(message.content),
        ...keep(extraMembers(message, plainMembers)),
      };
    default:
      return {
        role: "system",
        parts: decodeContent(message.content),
        ...mark({ role: textOf(message.role), ...extraMembers(message, plainMembers) }),
      };
  }
}

/** Reasoning comes first, calls come last. */
function decodeAssistant(message: JsonObject, position: number, calls: Calls): Turn {
  const refusal = textOrNothing(message.refusal);
  const parts: Part[] = [
    ...decodeThoughts(message),
    ...attached(decodeSaid(message), message),
    ...(refusal ? [{ type: "refusal", text: refusal } as const] : []),
    ...decodeAudioReference(message),
    ...decodeImages(message.images),
    ...decodeCalls(message, (index) => madeCallId(`message ${position}`, 0, index)),
  ];
  for (const part of parts) remember(part, calls);
  const rest = extraMembers(message, assistantMembers);
  return { role: "assistant", parts, ...keep(rest) };
}

function decodeSaid({ content }: JsonObject): Part[] {
  return decodeContent(content).map((part) =>
    part.type === "refusal"
      ? { ...part, ...mark({ ...part.native?.fields, type: "refusal" }) }
      : part
  );
}

/** Attaches the message's citations and continuation to its text. */
function attached(parts: Part[], message: JsonObject): Part[] {
  const citations = objectsOf(message.annotations).map(decodeCitation);
  const besides = { ...decodeSignature(message), ...(citations.length > 0 && { citations }) };
  if (isEmpty(besides)) return parts;
  const at = parts.findIndex(({ type }) => type === "text");
  return parts.map((part, index) => index === at ? { ...part, ...besides } : part);
}

/** An answer's audio: the vendor knows it by its id; others get the transcript that a caller sends along. */
function decodeAudioReference({ audio }: JsonObject): Part[] {
  const { id, transcript } = objectOf(audio);
  if (typeof id !== "string" || id === "") return [];
  const said = filledText(transcript);
  const source = { type: "file-id", id, format } as const;
  return [{ type: "audio", source, ...(said && { transcript: said }), ...mark({}) }];
}

function remember(part: Part, calls: Calls): void {
  if (part.type !== "tool-call") return;
  calls.byId.set(part.id, part);
  if (part.native?.fields.type === "function_call") calls.deprecated.set(part.name, part.id);
}

function decodeResult(message: JsonObject, calls: Calls): ToolResultPart {
  const deprecated = message.role === "function";
  const name = filledText(message.name);
  const callId = deprecated
    ? calls.deprecated.get(name ?? "") ?? madeCallId(name ?? "", 0, 0)
    : textOf(message.tool_call_id);
  const parts = message.content === "" ? [] : decodeContent(message.content);
  const rest = extraMembers(message, toolMembers);
  return {
    type: "tool-result",
    callId,
    ...(name !== undefined && { name }),
    kind: calls.byId.get(callId)?.kind ?? "function",
    parts,
    isError: false,
    ...decodeCache(message),
    ...(name === undefined ? keep(rest) : mark({ ...rest, role: textOf(message.role) })), // the role marks that the name was stated here
  };
}

/**
 * Moves every member of an assistant's message to its place. OpenAI's Agents SDK (0.20, 2026-11-22)
 * copies members of a message into its parts, and members of its calls into the message: reasoning
 * moves back to the message, the continuation of a call is removed from the text, and duplicates
 * are dropped.
 */
function withoutRepeats(message: JsonObject): JsonObject {
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
