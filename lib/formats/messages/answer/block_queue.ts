import type { CanonicalEvent, JsonObject } from "../../../canonical/mod.ts";
import { objectOf } from "../../wire_value.ts";
import { BlockReader } from "./block_reader.ts";

/** The state of one stream. The vendor opens one block at a time; other servers open several at once. */
export interface DecoderState {
  started: boolean;
  id: string;
  ended: boolean;
  /** Number of canonical parts opened. */
  parts: number;
  calls: boolean;
  /** Open blocks in the order of their start: the first is being written, the others wait. */
  readonly queue: BlockReader[];
  readonly blocks: Map<number, BlockReader>;
  /** The members of `message_delta` and the usage so far. */
  ending: JsonObject;
  usage: JsonObject;
  /** True while the output's only usage is the placeholder of the start. */
  outputPending: boolean;
}

/** Opens a block that the start of the message contains, such as the call of a program (2026-11). */
export function blockStated(
  state: DecoderState,
  block: JsonObject,
  index: number,
): CanonicalEvent[] {
  const reader = new BlockReader(block, true);
  state.blocks.set(index, reader);
  return enqueued(state, reader);
}

export function blockStarted(state: DecoderState, { index, content_block }: JsonObject) {
  const block = objectOf(content_block);
  const known = state.blocks.get(indexOf(index));
  const goesOn = known?.isSameAs(block) === true;
  const events = statedClosed(state, goesOn ? indexOf(index) : Infinity);
  if (known && goesOn) return [...events, ...known.begin(block)];
  const reader = new BlockReader(block);
  state.blocks.set(indexOf(index), reader);
  return [...events, ...enqueued(state, reader)];
}

/** Closes the blocks of the message's start that precede `before`. */
function statedClosed(state: DecoderState, before: number): CanonicalEvent[] {
  for (const [index, reader] of state.blocks) {
    if (reader.stated && index < before) reader.stop();
  }
  return settled(state);
}

function enqueued(state: DecoderState, reader: BlockReader): CanonicalEvent[] {
  state.queue.push(reader);
  return state.queue.length === 1 ? reader.open(state.parts++) : [];
}

/** A delta without a block opens one, if the delta says which. */
export function blockGrown(state: DecoderState, { index, delta }: JsonObject): CanonicalEvent[] {
  const wire = objectOf(delta);
  const known = state.blocks.get(indexOf(index));
  const reader = known ?? BlockReader.impliedBy(wire);
  if (!reader) return [];
  if (known) return reader.push(wire);
  state.blocks.set(indexOf(index), reader);
  return [...enqueued(state, reader), ...reader.push(wire)];
}

export function blockStopped(state: DecoderState, { index }: JsonObject): CanonicalEvent[] {
  const reader = state.blocks.get(indexOf(index));
  if (!reader) return [];
  state.blocks.delete(indexOf(index));
  reader.stop();
  return state.queue[0] === reader ? settled(state) : [];
}

/** Closes the finished blocks at the front and opens the next one. */
export function settled(state: DecoderState): CanonicalEvent[] {
  const events: CanonicalEvent[] = [];
  while (state.queue[0]?.isStopped) {
    events.push(...closed(state, state.queue[0]));
    state.queue.shift();
    const next = state.queue[0];
    if (next) events.push(...next.open(state.parts++));
  }
  return events;
}

function closed(state: DecoderState, reader: BlockReader): CanonicalEvent[] {
  state.calls ||= reader.isCall;
  return reader.close();
}

function indexOf(value: unknown): number {
  return typeof value === "number" ? value : -1;
}
