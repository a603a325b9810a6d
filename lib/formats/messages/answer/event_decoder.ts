import {
  type CanonicalEvent,
  GatewayError,
  isJsonObject,
  type JsonObject,
  partEvents,
} from "../../../canonical/mod.ts";
import { invalidAnswer, truncatedAnswer, unreadableEvent } from "../../error.ts";
import { isEmpty, objectIn, objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";
import type { EventDecoder } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { BlockReader } from "./block_reader.ts";
import { decodeStreamError } from "../error.ts";
import { decodeEnding, explanationOf } from "./finish.ts";
import { isAnotherId } from "../ids.ts";
import { keep, mark } from "../native.ts";
import { messageFields } from "./response.ts";
import { decodeUsage, mergedUsage, statesOutput } from "./usage.ts";

export function eventDecoder(): EventDecoder {
  return new Decoder();
}

/** The state of one stream. The vendor opens one block at a time; other servers open several at once. */
interface DecoderState {
  started: boolean;
  id: string;
  ended: boolean;
  /** How many canonical parts were opened. */
  parts: number;
  calls: boolean;
  /** Open blocks in the order in which they began: the first is being written, the others wait for it. */
  readonly queue: BlockReader[];
  readonly blocks: Map<number, BlockReader>;
  /** What `message_delta` said, and the usage so far. */
  ending: JsonObject;
  usage: JsonObject;
  /** Whether all that was said of the output is the placeholder of the start. */
  outputPending: boolean;
}

class Decoder implements EventDecoder {
  readonly #state: DecoderState = {
    started: false,
    id: "",
    ended: false,
    parts: 0,
    calls: false,
    queue: [],
    blocks: new Map(),
    ending: {},
    usage: {},
    outputPending: true,
  };

  get isFinished(): boolean {
    return isFinished(this.#state);
  }

  push({ event, data }: ServerSentEvent): CanonicalEvent[] {
    const state = this.#state;
    if (state.ended || data === "" || data === "[DONE]") return [];
    const wire = objectIn(data);
    return wire
      ? decodeEvent(state, textOf(wire.type) || (event ?? ""), wire)
      : failed(state, unreadableEvent());
  }

  /** Some servers close without `message_stop`; a stop reason says as well that the answer is whole. */
  end(): CanonicalEvent[] {
    const state = this.#state;
    if (state.ended) return [];
    return this.isFinished ? completed(state) : failed(state, truncatedAnswer());
  }
}

function isFinished({ ending }: DecoderState): boolean {
  return typeof ending.stop_reason === "string";
}

function decodeEvent(state: DecoderState, type: string, wire: JsonObject): CanonicalEvent[] {
  switch (type) {
    case "message_start":
      return messageStarted(state, objectOf(wire.message));
    case "content_block_start":
      return [...started(state), ...blockStarted(state, wire)];
    case "content_block_delta":
      return [...started(state), ...blockGrown(state, wire)];
    case "content_block_stop":
      return blockStopped(state, wire);
    case "message_delta":
      return [...started(state), ...ending(state, wire)];
    case "message_stop":
      return [...started(state), ...stopped(state)];
    case "error":
      return failed(state, decodeStreamError(wire));
    default:
      return isJsonObject(wire.error) ? failed(state, decodeStreamError(wire)) : [];
  }
}

/**
 * Some proxies start a message twice, with the same id or before there is content: the later usage
 * counts. Behind content, another id is that of another message, and this one will not be finished.
 */
function messageStarted(state: DecoderState, message: JsonObject): CanonicalEvent[] {
  const isBegun = state.parts > 0 || state.queue.length > 0;
  if (isBegun && isAnotherId(state.id, message.id)) {
    return isFinished(state) ? completed(state) : failed(state, spliced());
  }
  const usage = state.outputPending ? used(state, message.usage) : [];
  const blocks = isBegun ? [] : objectsOf(message.content);
  return [
    ...started(state, message),
    ...usage,
    ...blocks.flatMap((block, index) => blockStated(state, block, index)),
  ];
}

function started(state: DecoderState, message: JsonObject = {}): CanonicalEvent[] {
  if (state.started) return [];
  state.started = true;
  const { model, usage } = message;
  state.id = textOf(message.id);
  const fields = { ...messageFields(message), ...(isJsonObject(usage) && { usage }) };
  return [{ type: "start", id: state.id, model: textOf(model), ...mark(fields) }];
}

/** A block that the start of the message holds already, as the call of a program does (2026-11). */
function blockStated(state: DecoderState, block: JsonObject, index: number): CanonicalEvent[] {
  const reader = new BlockReader(block, true);
  state.blocks.set(index, reader);
  return enqueued(state, reader);
}

function used(state: DecoderState, wire: unknown): CanonicalEvent[] {
  if (!isJsonObject(wire)) return [];
  state.usage = mergedUsage(state.usage, wire);
  const usage = decodeUsage(state.usage);
  if (!usage) return [];
  return [{ type: "usage", usage, ...(state.outputPending && { outputPending: true }) }];
}

function blockStarted(state: DecoderState, { index, content_block }: JsonObject) {
  const block = objectOf(content_block);
  const known = state.blocks.get(indexOf(index));
  const goesOn = known?.isSameAs(block) === true;
  const events = statedClosed(state, goesOn ? indexOf(index) : Infinity);
  if (known && goesOn) return [...events, ...known.begin(block)];
  const reader = new BlockReader(block);
  state.blocks.set(indexOf(index), reader);
  return [...events, ...enqueued(state, reader)];
}

/** The stated blocks before one that begins are whole. */
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

/** A delta without its block opens one, where the delta says enough. */
function blockGrown(state: DecoderState, { index, delta }: JsonObject): CanonicalEvent[] {
  const wire = objectOf(delta);
  const known = state.blocks.get(indexOf(index));
  const reader = known ?? BlockReader.impliedBy(wire);
  if (!reader) return [];
  if (known) return reader.push(wire);
  state.blocks.set(indexOf(index), reader);
  return [...enqueued(state, reader), ...reader.push(wire)];
}

function blockStopped(state: DecoderState, { index }: JsonObject): CanonicalEvent[] {
  const reader = state.blocks.get(indexOf(index));
  if (!reader) return [];
  state.blocks.delete(indexOf(index));
  reader.stop();
  return state.queue[0] === reader ? settled(state) : [];
}

/** Closes the blocks at the front that are over, and opens the next. */
function settled(state: DecoderState): CanonicalEvent[] {
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

function ending(state: DecoderState, wire: JsonObject): CanonicalEvent[] {
  state.ending = {
    ...state.ending,
    ...restOf(wire, ["type", "delta", "usage"]),
    ...restOf(objectOf(wire.delta), []),
  };
  if (statesOutput(wire.usage)) state.outputPending = false;
  return used(state, wire.usage);
}

/** Whatever was said is the answer, unless nothing was. */
function stopped(state: DecoderState): CanonicalEvent[] {
  const says = state.parts > 0 || textOf(state.ending.stop_reason) !== "" ||
    !isEmpty(state.usage);
  return says ? completed(state) : failed(state, truncatedAnswer());
}

/** Every block that is still open ends here; the words of a refusal become a part of their own. */
function completed(state: DecoderState): CanonicalEvent[] {
  for (const reader of state.queue) reader.stop();
  const events = settled(state);
  const explanation = explanationOf(state.ending);
  if (explanation) {
    events.push(...partEvents(explanation, state.parts++));
  }
  state.ended = true;
  return [...events, {
    type: "end",
    endings: [decodeEnding(state.ending, state.calls)],
    ...keep(messageFields(state.ending)),
  }];
}

function failed(state: DecoderState, error: GatewayError): CanonicalEvent[] {
  const events = started(state);
  state.ended = true;
  return [...events, { type: "error", error }];
}

function spliced(): GatewayError {
  return invalidAnswer("another message begins before the first one ends");
}

function indexOf(value: unknown): number {
  return typeof value === "number" ? value : -1;
}
