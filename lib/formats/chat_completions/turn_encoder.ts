import type {
  CanonicalRequest,
  JsonObject,
  Part,
  TextPart,
  ToolResultPart,
  Turn,
} from "../../canonical/mod.ts";
import { asToolError } from "../request/tools.ts";
import { defined, isEmpty, objectOf } from "../wire_value.ts";
import { encodeAssistant } from "./assistant_message.ts";
import { encodeCache } from "./cache.ts";
import { safeCallId } from "./calls.ts";
import { contentOf, encodeTexts, encodeUserParts } from "./content.ts";
import { format, ownFields } from "./native.ts";
import type { PlacedPart, RequestContext } from "./request_context.ts";

/** A turn whose parts have their paths, so that notes stay correct when turns are joined. */
interface PlacedTurn {
  readonly role: Turn["role"];
  readonly native: JsonObject;
  readonly parts: readonly PlacedPart[];
}

/** A turn of one text without further fields, as most are: nothing of it can be lost or joined. */
interface PlainTurn {
  readonly role: Turn["role"];
  readonly text: string;
}

interface Writing extends RequestContext {
  readonly messages: JsonObject[];
  /** Media of tool results, kept until the batch of results ends: only a user's message can show them. */
  readonly media: JsonObject[];
}

/** `messages`: the instructions, then the turns. */
export function encodeMessages(request: CanonicalRequest, context: RequestContext): JsonObject[] {
  const writing: Writing = {
    ...context,
    messages: encodeInstructions(request, context),
    media: [],
  };
  const plain = writeLeadingPlain(request.turns, writing);
  if (plain === request.turns.length) return writing.messages;
  for (const turn of placedTurns(request.turns, plain, context)) {
    if ("text" in turn) writePlain(turn, writing);
    else writeTurn(turn, writing);
  }
  flushMedia(writing);
  return writing.messages;
}

/** Writes the turns before the first that is not plain, nearly always all. Returns their number. */
function writeLeadingPlain(turns: readonly Turn[], { messages }: Writing): number {
  for (let at = 0; at < turns.length; at++) {
    const content = plainTextIn(turns[at]);
    if (content === undefined) return at;
    messages.push({ role: turns[at].role, content });
  }
  return turns.length;
}

/** Joins the parts of one message; instructions of another format become one message. */
function encodeInstructions(
  { instructions }: CanonicalRequest,
  context: RequestContext,
): JsonObject[] {
  if (instructions.length === 0) return [];
  const groups: PlacedPart<TextPart>[][] = [];
  for (const [index, part] of instructions.entries()) {
    const placed = { part, path: `instructions[${index}]` };
    const last = groups.at(-1);
    if (last && ownFields(part)?.role === undefined) last.push(placed);
    else groups.push([placed]);
  }
  return groups.map((group) => {
    const { beside: _, ...message } = ownFields(group[0].part) ?? {};
    return { role: "system", ...message, content: contentOf(encodeTexts(group, context)) };
  });
}

/**
 * Turns from `first` on with the paths of their parts. Joins an assistant's turn to the previous
 * one if that has calls: a message with calls must be followed by their results only.
 */
function placedTurns(
  turns: readonly Turn[],
  first: number,
  { notes }: RequestContext,
): (PlacedTurn | PlainTurn)[] {
  const placed: (PlacedTurn | PlainTurn)[] = [];
  for (let index = first; index < turns.length; index++) {
    const turn = turns[index];
    const last = placed.at(-1);
    const joins = turn.role === "assistant" && last?.role === "assistant" && calls(last);
    const text = joins ? undefined : plainTextIn(turn);
    if (text !== undefined) {
      placed.push({ role: turn.role, text });
      continue;
    }
    const path = `turns[${index}]`;
    notes.foreign(turn.native, `${path}.native`);
    const parts = turn.parts.map((part, at) => ({ part, path: `${path}.parts[${at}]` }));
    if (joins) placed[placed.length - 1] = { ...last, parts: [...last.parts, ...parts] };
    else placed.push({ role: turn.role, native: ownFields(turn) ?? {}, parts });
  }
  return placed;
}

function plainTextIn({ parts, native }: Turn): string | undefined {
  const [part] = parts;
  if (parts.length !== 1 || native || part.type !== "text") return undefined;
  return part.native || part.cache || part.continuation || part.citations ? undefined : part.text;
}

function calls(turn: PlacedTurn | PlainTurn): turn is PlacedTurn {
  return "parts" in turn && turn.parts.some(({ part }) => part.type === "tool-call");
}

function writePlain({ role, text }: PlainTurn, writing: Writing): void {
  if (role !== "user") flushMedia(writing);
  const { media, messages } = writing;
  const content = media.length === 0 ? text : [...media.splice(0), { type: "text", text }];
  messages.push({ role, content });
}

function writeTurn(turn: PlacedTurn, writing: Writing): void {
  switch (turn.role) {
    case "user":
      return writeUser(turn, writing);
    case "assistant":
      flushMedia(writing);
      writing.messages.push(...encodeAssistant(turn, writing));
      return;
    case "system":
      flushMedia(writing);
      return writeSystem(turn, writing);
    default:
      return turn.role satisfies never;
  }
}

function writeSystem({ parts, native }: PlacedTurn, writing: Writing): void {
  const texts = parts.every(({ part }) => part.type === "text");
  const content = texts
    ? encodeTexts(parts.filter(isText), writing)
    : encodeUserParts(parts, writing);
  if (content.length === 0 && isEmpty(native)) return;
  writing.messages.push({ role: "system", ...native, content: contentOf(content) });
}

/** Writes results first, because they answer the previous calls; then one message with the rest. */
function writeUser({ parts, native }: PlacedTurn, writing: Writing): void {
  const others: PlacedPart[] = [];
  for (const placed of parts) {
    if (isResult(placed)) writing.messages.push(encodeResult(placed, writing));
    else others.push(placed);
  }
  if (others.length === 0 && parts.length > 0) return;
  const content = [...writing.media.splice(0), ...encodeUserParts(others, writing)];
  if (content.length === 0 && isEmpty(native)) return;
  writing.messages.push({ role: "user", ...native, content: contentOf(content) });
}

function flushMedia({ media, messages }: Writing): void {
  if (media.length > 0) messages.push({ role: "user", content: media.splice(0) });
}

function encodeResult({ part, path }: PlacedPart<ToolResultPart>, writing: Writing): JsonObject {
  const { role, ...native } = ownFields(part) ?? {};
  writing.notes.foreign(part.native, `${path}.native`);
  const content = resultContent({ part, path }, writing);
  if (role === "function") return { ...native, role, name: part.name ?? "", content };
  return defined({
    ...native,
    role: "tool",
    tool_call_id: safeCallId(part.callId),
    name: role === undefined ? undefined : part.name,
    content,
  });
}

function resultContent({ part, path }: PlacedPart<ToolResultPart>, writing: Writing) {
  const texts: JsonObject[] = [];
  for (const [index, inner] of part.parts.entries()) {
    texts.push(...resultTexts({ part: inner, path: `${path}.parts[${index}]` }, writing));
  }
  if (part.isError) writing.notes.add("toolError", `${path}.isError`);
  const content = part.isError ? asToolError(texts, "text") : texts;
  if (part.cache) markLast(content, encodeCache(part.cache, path, writing));
  return content.length === 0 ? "" : contentOf(content);
}

/** Text as it is; a placeholder for media. */
function resultTexts(placed: PlacedPart, writing: Writing): JsonObject[] {
  if (isText(placed)) return encodeTexts([placed], writing);
  const { part, path } = placed;
  if (part.type === "native" && part.format === format) return [objectOf(part.value)];
  const shown = encodeUserParts([placed], writing);
  if (shown.every(({ type }) => type === "text")) return shown;
  writing.notes.add("toolMedia", path);
  writing.media.push(...shown);
  return [{ type: "text", text: `[${part.type} attached below]` }];
}

function markLast(content: JsonObject[], mark: JsonObject): void {
  const last = content.at(-1);
  if (last) content[content.length - 1] = { ...last, ...mark };
}

function isResult(placed: PlacedPart): placed is PlacedPart<ToolResultPart> {
  return placed.part.type === "tool-result";
}

function isText(placed: PlacedPart): placed is PlacedPart<Part & TextPart> {
  return placed.part.type === "text";
}
