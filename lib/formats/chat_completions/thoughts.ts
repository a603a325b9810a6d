import {
  type Continuation,
  isJsonObject,
  isSealed,
  type JsonObject,
  type JsonValue,
  openContinuation,
  type ReasoningPart,
  sealContinuation,
} from "../../canonical/mod.ts";
import { parsedSimple } from "../../json/mod.ts";
import {
  isEmpty,
  listOf,
  noMembers,
  numberOrNothing,
  objectsOf,
  textOf,
  textOrNothing,
} from "../wire_value.ts";
import { format } from "./native.ts";

/**
 * The members of a message that carry reasoning. The vendor itself has none; upstreams and callers
 * use `reasoning_content` (DeepSeek, Qwen, vLLM), `reasoning` (Groq, OpenRouter),
 * `reasoning_details` (OpenRouter, with signatures) and `thinking_blocks` (LiteLLM) (2026-11-21).
 */
const textCarriers = ["reasoning_content", "reasoning"] as const;
const proofCarriers = ["reasoning_details", "thinking_blocks"] as const;
export const thoughtMembers: readonly string[] = [...textCarriers, ...proofCarriers];

const separator = "\n\n";

/**
 * The reasoning of a message. Its continuation names the members that carried it, so that the
 * upstream gets its own reasoning back in the same form; a detail that this gateway sealed restores
 * the continuation of the vendor that issued it.
 */
export function decodeThoughts(message: JsonObject): ReasoningPart[] {
  const carriers = carriersOf(message);
  if (isEmpty(carriers)) return [];
  const details = objectsOf(message.reasoning_details);
  if (details.some(isSealedDetail)) return decodeSealed(details, carriedText(message));
  const text = carriedText(message) || detailsText(details);
  return [{
    type: "reasoning",
    text,
    visibility: text === "" ? "redacted" : "raw",
    continuation: { issuer: format, data: JSON.stringify(carriers) },
  }];
}

/** The reasoning members of a message for an upstream: only reasoning that an upstream of this format wrote. */
export function encodeReplayedThoughts(parts: readonly ReasoningPart[]): JsonObject {
  const own = parts.filter(isOwnThought);
  if (own.length === 0) return {};
  const text = own.map((part) => part.text).join(separator);
  const members = own.flatMap(({ continuation }) => Object.entries(carriersIn(continuation)));
  return Object.fromEntries(
    members.map(([name, value]) => [name, value === true ? text : value]),
  );
}

export function isOwnThought({ continuation }: ReasoningPart): boolean {
  return !isEmpty(carriersIn(continuation));
}

/** The reasoning members of an answer's message. */
export function encodeThoughts(parts: readonly ReasoningPart[]): JsonObject {
  if (parts.length > 0 && parts.every(isOwnThought)) return encodeReplayedThoughts(parts);
  const text = parts.map((part) => part.text).filter((part) => part !== "").join(separator);
  const details = parts.flatMap(sealedDetails);
  return {
    ...(text !== "" && { reasoning_content: text }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

/** The native lists that end a streamed reasoning of this format; its text was sent already. */
export function encodeOwnThought(part: ReasoningPart): JsonObject | undefined {
  if (!isOwnThought(part)) return undefined;
  const lists = Object.entries(carriersIn(part.continuation)).filter(([, value]) => value !== true);
  return Object.fromEntries(lists);
}

/**
 * Details that carry another vendor's continuation through a caller of this format, with the text
 * that it signs.
 */
export function sealedDetails(part: ReasoningPart, index: number): JsonObject[] {
  const { continuation, text, visibility } = part;
  if (!continuation) return [];
  const shown = visibility === "summary"
    ? { type: "reasoning.summary", summary: text, index }
    : { type: "reasoning.text", text, index };
  const sealed = sealContinuation(format, continuation);
  const proof = { type: "reasoning.encrypted", data: sealed, index };
  return text === "" ? [proof] : [shown, proof];
}

/** The carriers in a continuation of this format; empty for any other. */
function carriersIn(continuation: Continuation | undefined): JsonObject {
  if (continuation?.issuer !== format) return {};
  try {
    const carriers: unknown = parsedSimple(continuation.data);
    if (!isJsonObject(carriers)) return {};
    const known = Object.entries(carriers).filter(([name, value]) => isCarrier(name, value));
    return Object.fromEntries(known);
  } catch {
    return {}; // a caller may have changed the data
  }
}

/** The text of a chunk's or a message's reasoning. */
export function carriedText(message: JsonObject): string {
  return textOf(message.reasoning_content) || textOf(message.reasoning);
}

/** The members that carry the reasoning: `true` for text, opaque lists as they are. */
function carriersOf(message: JsonObject): JsonObject {
  let carriers: Record<string, JsonValue | undefined> | undefined;
  for (const name of textCarriers) if (textOf(message[name]) !== "") (carriers ??= {})[name] = true;
  for (const name of proofCarriers) {
    if (listOf(message[name]).length > 0) (carriers ??= {})[name] = message[name];
  }
  return carriers ?? noMembers;
}

export function detailsText(details: readonly JsonObject[]): string {
  return details.map(detailText).join("");
}

/** The carriers of a streamed reasoning so far: `true` for text, the pieces of a list. */
export type GrowingCarriers = Map<string, true | JsonObject[]>;

/** Adds the carriers of one chunk. */
export function addCarriers(sum: GrowingCarriers, delta: JsonObject): void {
  for (const name of textCarriers) if (textOf(delta[name]) !== "") sum.set(name, true);
  for (const name of proofCarriers) {
    const known = sum.get(name);
    const list = Array.isArray(known) ? known : [];
    for (const piece of objectsOf(delta[name])) addPiece(list, piece);
    if (list.length > 0) sum.set(name, list);
  }
}

/** Returns true if text arrived outside the lists. */
export function bearsText(sum: GrowingCarriers): boolean {
  return textCarriers.some((name) => sum.has(name));
}

/** The continuation of collected carriers, as `decodeThoughts` gives it for a whole message. */
export function thoughtContinuation(sum: GrowingCarriers): Continuation | undefined {
  if (sum.size === 0) return undefined;
  const names = thoughtMembers.filter((name) => sum.has(name));
  const carriers = Object.fromEntries(names.map((name) => [name, sum.get(name)]));
  return { issuer: format, data: JSON.stringify(carriers) };
}

/** Appends to the last detail if it has the same type and index; a signature is always a new detail. */
function addPiece(list: JsonObject[], piece: JsonObject): void {
  const last = list.at(-1);
  const text = textOrNothing(piece.text);
  const summary = textOrNothing(piece.summary);
  const goesOn = last && last.type === piece.type && last.index === piece.index;
  if (!goesOn || (text === undefined && summary === undefined)) return void list.push(piece);
  list[list.length - 1] = {
    ...last,
    ...piece,
    ...(text !== undefined && { text: textOf(last.text) + text }),
    ...(summary !== undefined && { summary: textOf(last.summary) + summary }),
  };
}

function detailText(detail: JsonObject): string {
  return textOf(detail.text) || textOf(detail.summary);
}

function isCarrier(name: string, value: JsonValue | undefined): boolean {
  if (textCarriers.some((carrier) => carrier === name)) return value === true;
  return proofCarriers.some((carrier) => carrier === name) && Array.isArray(value);
}

function isSealedDetail({ type, data }: JsonObject): boolean {
  return type === "reasoning.encrypted" && isSealed(textOf(data));
}

/** Joins the details of one index into one part: text, then signature. */
function decodeSealed(details: readonly JsonObject[], carried: string): ReasoningPart[] {
  const groups = new Map<number, JsonObject[]>();
  for (const [position, detail] of details.entries()) {
    const index = numberOrNothing(detail.index) ?? position;
    groups.set(index, [...groups.get(index) ?? [], detail]);
  }
  const parts = [...groups.values()].map(sealedPart);
  const [only] = parts;
  const isApart = parts.length === 1 && only.text === "" && carried !== "";
  return isApart ? [{ ...only, text: carried, visibility: "raw" }] : parts;
}

function sealedPart(group: readonly JsonObject[]): ReasoningPart {
  const text = group.map(detailText).join("");
  const proof = group.map((detail) => textOf(detail.data)).find((data) => data !== "");
  const continuation = proof === undefined ? undefined : openContinuation(format, proof);
  const summary = group.some(({ type }) => type === "reasoning.summary");
  return {
    type: "reasoning",
    text,
    visibility: summary ? "summary" : text === "" ? "redacted" : "raw",
    ...(continuation && { continuation }),
  };
}
