import {
  type CanonicalEvent,
  type Ending,
  GatewayError,
  type JsonObject,
  type Part,
  type PartPatch,
} from "../../../canonical/mod.ts";
import { listOf, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { decodeSignature } from "../calls.ts";
import { decodeImages } from "../media.ts";
import {
  addCarriers,
  bearsText,
  carriedText,
  detailsText,
  thoughtContinuation,
} from "../thoughts.ts";
import { CallReader } from "./call_reader.ts";
import {
  addAudio,
  addMembers,
  addWhole,
  type ChoiceState,
  completeAudio,
  type GrowingPart,
  type GrowingType,
} from "./choice_members.ts";
import { decodeCitation } from "./citations.ts";
import { decodeEnding } from "./finish.ts";
import { otherLogprobs, strayLogprobs } from "./logprobs.ts";
import { contentText, contentThoughts } from "./part.ts";
import { advance, type PartCounter, type QueuedPart } from "./part_queue.ts";

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
