import {
  type Ending,
  isJsonObject,
  type JsonObject,
  type Part,
  type ReasoningPart,
  type RefusalPart,
  type TextPart,
  type TokenLogprob,
  type ToolCallPart,
  type Usage,
} from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { isEmpty, objectIn } from "../../wire_value.ts";
import { isMadeHere } from "../ids.ts";
import { encodeMedia, isMedia } from "../media.ts";
import { format, ownFields, withOwnFields } from "../native.ts";
import { sealProof } from "../proof.ts";
import type { GroundedText } from "./citations.ts";
import { wireReason } from "./finish.ts";
import { encodeTokens } from "./logprobs.ts";

/** Parts of an answer on the wire; the caller adds signatures, because their position depends on the stream. */

/** Encodes a part that arrives whole; undefined if only another format has it. */
export function encodeWholePart(part: Part): JsonObject | undefined {
  if (isMedia(part)) {
    const foreign = part.source.type === "file-id" && part.source.format !== format;
    return foreign ? undefined : encodeMedia(part, "parts");
  }
  switch (part.type) {
    case "text":
    case "refusal":
      return isEmptyText(part) ? undefined : withOwnFields({ text: part.text }, part);
    case "reasoning":
      return isEmptyText(part)
        ? undefined
        : withOwnFields({ text: part.text, thought: true }, part);
    case "native":
      return part.format === format && isJsonObject(part.value) ? part.value : undefined;
    case "tool-call":
    case "tool-result":
      return undefined;
    default:
      return part satisfies never;
  }
}

function isEmptyText(part: TextPart | RefusalPart | ReasoningPart): boolean {
  return part.text === "" && !part.continuation && !ownFields(part);
}

interface CallOptions {
  /** True if the answer came in this format: then a call without an id stays without one. */
  readonly own: boolean;
  readonly fallbackId: string;
  /** Returns the name of the caller's tool. */
  readonly callerName: (name: string) => string;
}

/** Encodes a call with its arguments as an object; unreadable arguments become an empty one. */
export function encodeCall(part: ToolCallPart, options: CallOptions): JsonObject {
  const { own, fallbackId, callerName } = options;
  const full = part.namespace === undefined ? part.name : `${part.namespace}__${part.name}`;
  const id = part.id || fallbackId;
  const functionCall = {
    ...(!(own && isMadeHere(id)) && { id }),
    name: callerName(full),
    args: part.kind === "custom" ? { input: part.arguments } : objectIn(part.arguments) ?? {},
  };
  return withOwnFields({ functionCall }, part);
}

/** Returns true if the arguments can be read; no text at all means no arguments. */
export function hasReadableArguments({ kind, arguments: text }: ToolCallPart): boolean {
  return kind === "custom" || text.trim() === "" || objectIn(text) !== undefined;
}

interface CandidateFields {
  readonly index: number;
  readonly parts: readonly JsonObject[];
  readonly grounding?: JsonObject;
  /** The members that state its tokens. */
  readonly tokens: JsonObject;
}

/** Filtered answers have no content if no text came before. */
export function encodeCandidate(ending: Ending, fields: CandidateFields): JsonObject {
  const { index, parts, grounding, tokens } = fields;
  const own = ownFields(ending) !== undefined;
  const empty = parts.length === 0 ||
    (ending.finishReason === "content-filter" &&
      parts.every((part) => part.text === "" && part.thoughtSignature === undefined));
  return withOwnFields({
    ...(!empty && { content: { parts, role: "model" } }),
    finishReason: wireReason[ending.finishReason],
    index,
    ...tokens,
    ...(grounding && !own && { groundingMetadata: grounding }),
  }, ending);
}

export function bareProof(proof: string): JsonObject {
  return { text: "", thought: true, thoughtSignature: proof };
}

export interface EncoderState {
  readonly context: EncoderContext;
  readonly out: ServerSentEvent[];
  readonly open: Map<number, OpenPart>;
  readonly alternatives: Map<number, AlternativeState>;
  readonly callerName: (name: string) => string;
  own: boolean;
  /** The members that every chunk repeats. */
  identity: JsonObject;
  /** Members of the whole answer that are not sent yet. */
  native: JsonObject;
  usage?: Usage;
  over: boolean;
}

export interface OpenPart {
  readonly part: Part;
  readonly alternative: number;
  readonly pieces: string[];
  /** The number of its tokens so far. */
  tokens: number;
  /** The last text of a reasoning, held until its signature is known. */
  held?: string;
}

interface AlternativeState {
  /** Wire parts written so far; a growing text is one. */
  parts: number;
  /** The signature of a part without content, held for the next part that can carry it. */
  proof?: string;
  /** A call with unreadable arguments: a limit cut it off if nothing follows. */
  unreadable?: ToolCallPart;
  readonly grounded: GroundedText[];
  readonly tokens: TokenLogprob[];
  /** The number of tokens that are written; those without text of their own wait for the next one. */
  tokensWritten: number;
}

/** Writes the held text of a reasoning, with its signature once that is known. */
export function writeHeld(state: EncoderState, open: OpenPart, proof?: string): void {
  const { held: text, alternative } = open;
  if (text === undefined) return;
  open.held = undefined;
  const signed = proof !== undefined && { thoughtSignature: proof };
  writePart(state, alternative, { text, thought: true, ...signed });
}

export function writeCall(state: EncoderState, alternative: number, call: ToolCallPart): void {
  const fellow = alternativeOf(state, alternative);
  const proof = call.continuation ? sealProof(call.continuation) : takeProof(fellow);
  const fallbackId = `call_${state.context.requestId}_${alternative}_${fellow.parts}`;
  const wire = encodeCall(call, { own: state.own, callerName: state.callerName, fallbackId });
  writePart(state, alternative, proof === undefined ? wire : { ...wire, thoughtSignature: proof });
  fellow.parts++;
}

/** If a signature is held already, writes it as a part of its own first. */
export function holdProof(state: EncoderState, alternative: number, proof: string): void {
  const fellow = alternativeOf(state, alternative);
  const earlier = takeProof(fellow);
  if (earlier !== undefined) writePart(state, alternative, bareProof(earlier));
  fellow.proof = proof;
}

export function takeProof(fellow: AlternativeState): string | undefined {
  const { proof } = fellow;
  fellow.proof = undefined;
  return proof;
}

export function alternativeOf({ alternatives }: EncoderState, index: number): AlternativeState {
  const known = alternatives.get(index) ?? {
    parts: 0,
    grounded: [],
    tokens: [],
    tokensWritten: 0,
  };
  alternatives.set(index, known);
  return known;
}

export function takeTokens(fellow: AlternativeState): readonly TokenLogprob[] {
  const taken = fellow.tokens.slice(fellow.tokensWritten);
  fellow.tokensWritten = fellow.tokens.length;
  return taken;
}

export function writePart(state: EncoderState, index: number, part: JsonObject): void {
  const tokens = encodeTokens(takeTokens(alternativeOf(state, index)));
  const chunk = { candidates: [{ content: { parts: [part], role: "model" }, index, ...tokens }] };
  write(state, { ...state.native, ...chunk });
  if (!isEmpty(state.native)) state.native = {};
}

export function write(state: EncoderState, chunk: JsonObject): void {
  state.out.push({ data: JSON.stringify({ ...chunk, ...state.identity }) });
}
