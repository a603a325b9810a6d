import {
  type CanonicalEvent,
  type Citation,
  type Continuation,
  type Ending,
  GatewayError,
  type JsonObject,
  type JsonValue,
  type Part,
  type PartPatch,
  type TokenLogprob,
} from "../../../canonical/mod.ts";
import { listOf, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { decodeSignature } from "../calls.ts";
import { decodeImages } from "../media.ts";
import {
  addCarriers,
  bearsText,
  carriedText,
  detailsText,
  type GrowingCarriers,
  thoughtContinuation,
} from "../thoughts.ts";
import { CallReader } from "./call_reader.ts";
import { choiceMembers, decodeEnding } from "./finish.ts";
import { addLogprobs, type GrowingLogprobs, otherLogprobs, strayLogprobs } from "./logprobs.ts";
import {
  assistantMembers,
  contentText,
  contentThoughts,
  decodeAudio,
  decodeCitation,
  hasSound,
} from "./part.ts";
import { advance, type PartCounter, type PartQueue, type QueuedPart } from "./part_queue.ts";

export function newChoice(answer: string, alternative: number): ChoiceState {
  const parts: QueuedPart[] = [];
  const types: Pick<Part, "type">[] = [];
  const calls = new CallReader(answer, alternative, (part) => {
    parts.push(part);
    types.push({ type: "tool-call" });
  });
  return {
    alternative,
    parts,
    types,
    calls,
    early: [],
    members: {},
    message: {},
    logprobs: { early: [], stray: [], others: new Map() },
  };
}

/** Reads a choice's delta in one chunk: reasoning first, then text, then calls. */
export function addDelta(
  state: ChoiceState,
  wire: JsonObject,
  counter: PartCounter,
): CanonicalEvent[] {
  const delta = objectOf(wire.delta ?? wire.message);
  addThoughts(state, delta);
  addText(state, "text", contentText(delta.content));
  addText(state, "refusal", textOf(delta.refusal));
  addBesides(state, delta);
  state.calls.push(delta);
  addMembers(state, wire, delta);
  const reason = textOf(wire.finish_reason);
  if (reason === "") return advance(state, counter, false);
  state.reason = reason;
  completeAudio(state);
  return advance(state, counter, true);
}

/** Adds more text to a part that the last chunk of the choice added to. */
export function addMore(
  state: ChoiceState,
  type: "reasoning" | "text",
  { text, counter }: { readonly text: string; readonly counter: PartCounter },
): CanonicalEvent[] {
  if (text !== "") say(growing(state, type), text);
  return advance(state, counter, false);
}

/** Returns true if anything of an answer arrived. */
export function hasSaid({ types, reason }: ChoiceState): boolean {
  return types.length > 0 || reason !== undefined;
}

/** Closes the open parts. Throws if a call never had a name. */
export function closeChoice(state: ChoiceState, counter: PartCounter): CanonicalEvent[] {
  completeAudio(state);
  const events = advance(state, counter, true);
  if (state.parts.length > 0 && state.reason !== "length") throw nameless();
  return events;
}

export function endingOf(state: ChoiceState): Ending {
  const choice = { ...state.members, ...otherLogprobs(state), finish_reason: state.reason ?? "" };
  return { ...decodeEnding(choice, state.types, state.message), ...strayLogprobs(state) };
}

function addThoughts(state: ChoiceState, delta: JsonObject): void {
  const details = objectsOf(delta.reasoning_details);
  const said = carriedText(delta) || contentThoughts(delta.content);
  const detailed = detailsText(details);
  const blocks = listOf(delta.thinking_blocks);
  if (said === "" && details.length === 0 && blocks.length === 0) return;
  const part = growing(state, "reasoning");
  // details that come after their text repeat it
  say(part, said || (bearsText(part.carriers) ? "" : detailed));
  addCarriers(part.carriers, delta);
}

function addText(state: ChoiceState, type: "text" | "refusal", text: string): void {
  if (text !== "") say(growing(state, type), text);
}

/** Details may come long before the text of a reasoning: only text shows that the reasoning is not hidden. */
function say(part: GrowingPart, text: string): void {
  if (text === "") return;
  part.opening ??= openingOf(part.type);
  part.pending += text;
}

function openingOf(type: GrowingType): Part {
  return type === "reasoning" ? { type, text: "", visibility: "raw" } : { type, text: "" };
}

const hidden: Part = { type: "reasoning", text: "", visibility: "redacted" };

/** The last part if it has this type, else a new one. */
function growing(state: ChoiceState, type: GrowingType): GrowingPart {
  const last = state.growing;
  if (last?.type === type && state.parts.at(-1) === last) return last;
  const part: GrowingPart = {
    type,
    ...(type === "reasoning" && { unsaid: hidden }),
    pending: "",
    text: "",
    checkedLength: 0,
    tokens: type === "text" ? state.logprobs.early.splice(0) : [],
    citations: type === "text" ? state.early.splice(0) : [],
    carriers: new Map(),
    patch: () => patchOf(part),
  };
  state.growing = part;
  if (type === "text") state.text = part;
  state.parts.push(part);
  state.types.push({ type });
  return part;
}

function patchOf(part: GrowingPart): PartPatch | undefined {
  const continuation = part.type === "reasoning"
    ? thoughtContinuation(part.carriers)
    : part.continuation;
  if (!continuation && part.citations.length === 0) return undefined;
  return {
    ...(continuation && { continuation }),
    ...(part.citations.length > 0 && { citations: part.citations }),
  };
}

/** Adds citations and a continuation to the text, then images and audio. */
function addBesides(state: ChoiceState, delta: JsonObject): void {
  if (delta.annotations) {
    const citations = state.text?.citations ?? state.early;
    citations.push(...objectsOf(delta.annotations).map(decodeCitation));
  }
  if (delta.extra_content && state.text) {
    Object.assign(state.text, decodeSignature(delta));
  }
  for (const image of decodeImages(delta.images)) addWhole(state, image);
  if (delta.audio) addAudio(state, objectOf(delta.audio));
}

function nameless(): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    "Cannot decode the upstream's stream: a tool call has no name",
  );
}

/** One choice of a streamed answer, as far as it arrived. */
export interface ChoiceState extends PartQueue {
  readonly calls: CallReader;
  /** The part to which text of the same type is appended, as long as it is the last one. */
  growing?: GrowingPart;
  /** The last text, to which citations and a continuation belong. */
  text?: GrowingPart;
  /** Citations that came before any text (OpenRouter, 2026-11). */
  readonly early: Citation[];
  /** The audio of the answer, complete only at the end; a part once it has content. */
  audio?: { part?: QueuedPart; readonly wire: Record<string, JsonValue> };
  /** Types of the parts so far: they decide what a `stop` means. */
  readonly types: Pick<Part, "type">[];
  /** Members of the choice and of its message that only this format knows, as last stated. */
  readonly members: Record<string, JsonValue>;
  readonly message: Record<string, JsonValue>;
  readonly logprobs: GrowingLogprobs;
  reason?: string;
}

type GrowingType = "reasoning" | "text" | "refusal";

interface GrowingPart extends QueuedPart {
  readonly type: GrowingType;
  readonly tokens: TokenLogprob[];
  readonly citations: Citation[];
  readonly carriers: GrowingCarriers;
  continuation?: Continuation;
}

function addWhole(state: ChoiceState, opening?: Part): QueuedPart {
  const part: QueuedPart = {
    ...(opening && { opening }),
    pending: "",
    text: "",
    checkedLength: 0,
    patch: () => undefined,
  };
  state.parts.push(part);
  state.types.push({ type: opening?.type ?? "audio" });
  return part;
}

function addAudio(state: ChoiceState, delta: JsonObject): void {
  const audio = state.audio ??= { wire: {} };
  const { wire } = audio;
  for (const name of ["data", "transcript"]) {
    if (typeof delta[name] === "string") wire[name] = textOf(wire[name]) + delta[name];
  }
  for (const name of ["id", "expires_at"]) {
    if (delta[name] !== undefined) wire[name] = delta[name];
  }
  if (hasSound(wire)) audio.part ??= addWhole(state);
}

function completeAudio({ audio }: ChoiceState): void {
  if (!audio?.part || audio.part.opening) return;
  const [whole] = decodeAudio(audio.wire);
  audio.part.opening = whole;
}

function addMembers(state: ChoiceState, wire: JsonObject, delta: JsonObject): void {
  for (const name in wire) {
    if (choiceMembers.has(name)) continue;
    if (name === "logprobs") addLogprobs(state, wire.logprobs, delta);
    else state.members[name] = wire[name] ?? null;
  }
  for (const name in delta) {
    if (!assistantMembers.has(name)) state.message[name] = delta[name] ?? null;
  }
}
