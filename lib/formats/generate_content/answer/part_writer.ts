import type { JsonObject, Part, ToolCallPart, Usage } from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { encodeCall } from "./part.ts";
import type { GroundedText } from "./citations.ts";
import { sealProof } from "../proof.ts";
import { bareProof } from "./response.ts";
import { isEmpty } from "../../wire_value.ts";

export interface EncoderState {
  readonly context: EncoderContext;
  readonly out: ServerSentEvent[];
  readonly open: Map<number, OpenPart>;
  readonly alternatives: Map<number, AlternativeState>;
  readonly callerName: (name: string) => string;
  own: boolean;
  /** What every chunk repeats. */
  identity: JsonObject;
  /** Fields of the whole answer that are still to be said. */
  native: JsonObject;
  usage?: Usage;
  over: boolean;
}

export interface OpenPart {
  readonly part: Part;
  readonly alternative: number;
  readonly pieces: string[];
  /** The last words of a thought, which its proof goes with. */
  held?: string;
}

interface AlternativeState {
  /** Wire parts written so far, a text that grows being one. */
  parts: number;
  /** A proof whose own part says nothing, waiting for one that can bear it. */
  proof?: string;
  /** A call whose arguments cannot be read: cut off by a limit if nothing follows. */
  unreadable?: ToolCallPart;
  readonly grounded: GroundedText[];
}

/** The words of a thought that wait, with its proof once that is known. */
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

/** A second proof in wait: the first goes out on a part of its own. */
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
  const known = alternatives.get(index) ?? { parts: 0, grounded: [] };
  alternatives.set(index, known);
  return known;
}

export function writePart(state: EncoderState, index: number, part: JsonObject): void {
  const chunk = { candidates: [{ content: { parts: [part], role: "model" }, index }] };
  write(state, { ...state.native, ...chunk });
  if (!isEmpty(state.native)) state.native = {};
}

export function write(state: EncoderState, chunk: JsonObject): void {
  state.out.push({ data: JSON.stringify({ ...chunk, ...state.identity }) });
}
