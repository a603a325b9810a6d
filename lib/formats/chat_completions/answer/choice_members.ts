import type {
  Citation,
  Continuation,
  JsonObject,
  JsonValue,
  Part,
  TokenLogprob,
} from "../../../canonical/mod.ts";
import { textOf } from "../../wire_value.ts";
import { assistantMembers } from "../assistant_members.ts";
import type { GrowingCarriers } from "../thoughts.ts";
import { CallReader } from "./call_reader.ts";
import { choiceMembers } from "./finish.ts";
import { addLogprobs, type GrowingLogprobs } from "./logprobs.ts";
import { decodeAudio, hasSound } from "./part.ts";
import type { PartQueue, QueuedPart } from "./part_queue.ts";

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

export type GrowingType = "reasoning" | "text" | "refusal";

export interface GrowingPart extends QueuedPart {
  readonly type: GrowingType;
  readonly tokens: TokenLogprob[];
  readonly citations: Citation[];
  readonly carriers: GrowingCarriers;
  continuation?: Continuation;
}

export function addWhole(state: ChoiceState, opening?: Part): QueuedPart {
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

export function addAudio(state: ChoiceState, delta: JsonObject): void {
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

export function completeAudio({ audio }: ChoiceState): void {
  if (!audio?.part || audio.part.opening) return;
  const [whole] = decodeAudio(audio.wire);
  audio.part.opening = whole;
}

export function addMembers(state: ChoiceState, wire: JsonObject, delta: JsonObject): void {
  for (const name in wire) {
    if (choiceMembers.has(name)) continue;
    if (name === "logprobs") addLogprobs(state, wire.logprobs, delta);
    else state.members[name] = wire[name] ?? null;
  }
  for (const name in delta) {
    if (!assistantMembers.has(name)) state.message[name] = delta[name] ?? null;
  }
}
