import {
  type CanonicalEvent,
  GatewayError,
  isJsonObject,
  type JsonObject,
  partEvents,
} from "../../../canonical/mod.ts";
import { truncatedAnswer, unreadableEvent } from "../../error.ts";
import type { EventDecoder } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { objectIn, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { decodeStreamError } from "../error.ts";
import { decodeOutputItem } from "../items.ts";
import { mark } from "../native.ts";
import { type AnswerContents, decodeEnding } from "./finish.ts";
import { ItemReader } from "./item_reader.ts";
import { decodeHead, hasFailed, responseFields } from "./response.ts";
import { decodeUsage } from "./usage.ts";

export function eventDecoder(): EventDecoder {
  return new Decoder();
}

/** The state of one stream. Items are keyed by `output_index`: some servers change their ids. */
interface DecoderState {
  started: boolean;
  ended: boolean;
  /** Number of canonical parts opened. */
  readonly parts: { count: number };
  /** The item whose parts are being written; others wait for it. */
  live?: { readonly index: number; readonly reader: ItemReader };
  readonly waiting: Map<number, JsonObject[]>;
  readonly finished: Set<number>;
  readonly contents: AnswerContents;
  /** Speech, which belongs to no item; the last part of the answer. */
  readonly speech: { data: string; transcript: string };
}

class Decoder implements EventDecoder {
  readonly #state: DecoderState = {
    started: false,
    ended: false,
    parts: { count: 0 },
    waiting: new Map(),
    finished: new Set(),
    contents: { calls: false, refusal: false },
    speech: { data: "", transcript: "" },
  };

  /** Only the terminal event states the ending. */
  get isFinished(): boolean {
    return this.#state.ended;
  }

  push(event: ServerSentEvent): CanonicalEvent[] {
    const state = this.#state;
    if (state.ended || event.data.trim() === "[DONE]") return [];
    const wire = objectIn(event.data);
    if (!wire) return failed(state, unreadableEvent());
    const out = decodeEvent(state, textOf(wire.type) || (event.event ?? ""), wire);
    for (const canonical of out) noteContents(state.contents, canonical);
    return out;
  }

  end(): CanonicalEvent[] {
    return this.#state.ended ? [] : failed(this.#state, truncatedAnswer());
  }
}

function decodeEvent(state: DecoderState, type: string, wire: JsonObject): CanonicalEvent[] {
  switch (type) {
    case "response.created":
    case "response.queued":
    case "response.in_progress":
      return started(state, objectOf(wire.response));
    case "response.completed":
    case "response.done":
    case "response.incomplete":
      return completed(state, wire);
    case "response.failed":
    case "response.cancelled":
      return failed(state, decodeStreamError(objectOf(wire.response)));
    case "response.audio.delta":
      state.speech.data += textOf(wire.delta);
      return [];
    case "response.audio.transcript.delta":
      state.speech.transcript += textOf(wire.delta);
      return [];
    case "error":
      return failed(state, decodeStreamError(wire));
    default:
      if (isJsonObject(wire.error)) return failed(state, decodeStreamError(wire));
      return typeof wire.output_index === "number" && ItemReader.reads(type)
        ? [...started(state, {}), ...itemEvent(state, wire.output_index, { ...wire, type })]
        : [];
  }
}

function started(state: DecoderState, response: JsonObject): CanonicalEvent[] {
  if (state.started) return [];
  state.started = true;
  return [{ type: "start", ...decodeHead(response), ...mark(responseFields(response)) }];
}

/** Handles an event of one item, and then held events of others, oldest first. */
function itemEvent(state: DecoderState, index: number, wire: JsonObject): CanonicalEvent[] {
  const events = feed(state, index, wire);
  while (!state.live && state.waiting.size > 0) events.push(...nextWaiting(state));
  return events;
}

function nextWaiting(state: DecoderState): CanonicalEvent[] {
  const next = state.waiting.entries().next();
  if (next.done) return [];
  const [index, queue] = next.value;
  state.waiting.delete(index);
  return queue.flatMap((wire) => feed(state, index, wire));
}

/** Handles an event if it is its item's turn, else holds it. */
function feed(state: DecoderState, index: number, wire: JsonObject): CanonicalEvent[] {
  if (state.finished.has(index)) return [];
  const events: CanonicalEvent[] = [];
  if (state.live && state.live.index !== index) {
    if (!state.live.reader.isComplete) return wait(state, index, wire);
    events.push(...closeLive(state));
  }
  state.live ??= { index, reader: new ItemReader(state.parts) };
  const { reader } = state.live;
  events.push(...reader.push(wire));
  if (reader.isClosed) events.push(...closeLive(state));
  return events;
}

function wait(state: DecoderState, index: number, wire: JsonObject): CanonicalEvent[] {
  const queue = state.waiting.get(index);
  if (queue) queue.push(wire);
  else state.waiting.set(index, [wire]);
  return [];
}

function closeLive(state: DecoderState): CanonicalEvent[] {
  if (!state.live) return [];
  const events = state.live.reader.close();
  state.finished.add(state.live.index);
  state.live = undefined;
  return events;
}

/** The terminal event: closes the open items and writes those that were never streamed. */
function completed(state: DecoderState, wire: JsonObject): CanonicalEvent[] {
  const response = objectOf(wire.response);
  const events = started(state, response);
  while (state.live || state.waiting.size > 0) {
    events.push(...closeLive(state));
    events.push(...nextWaiting(state));
  }
  if (hasFailed(response)) return [...events, ...failed(state, decodeStreamError(response))];
  if (state.parts.count === 0) events.push(...unstreamed(state, response));
  events.push(...spoken(state));
  for (const event of events) noteContents(state.contents, event);
  const usage = decodeUsage(response);
  state.ended = true;
  return [
    ...events,
    ...(usage ? [{ type: "usage", usage } as const] : []),
    {
      type: "end",
      endings: [decodeEnding(statusOf(wire, response), state.contents)],
      ...mark(responseFields(response)),
    },
  ];
}

/** Some events state `incomplete` only in their name. */
function statusOf(wire: JsonObject, response: JsonObject): JsonObject {
  return wire.type === "response.incomplete" ? { ...response, status: "incomplete" } : response;
}

function unstreamed({ parts }: DecoderState, response: JsonObject): CanonicalEvent[] {
  return objectsOf(response.output).flatMap(decodeOutputItem).flatMap((
    part,
  ) => partEvents(part, parts.count++));
}

function spoken({ parts, speech: { data, transcript } }: DecoderState): CanonicalEvent[] {
  if (data === "" && transcript === "") return [];
  const part = {
    type: "audio",
    source: { type: "base64", data },
    ...(transcript !== "" && { transcript }),
  } as const;
  return partEvents(part, parts.count++);
}

function noteContents(contents: AnswerContents, event: CanonicalEvent): void {
  if (event.type !== "part-start") return;
  if (event.part.type === "tool-call") contents.calls = true;
  else if (event.part.type === "refusal") contents.refusal = true;
}

function failed(state: DecoderState, error: GatewayError): CanonicalEvent[] {
  const events = started(state, {});
  state.ended = true;
  return [...events, { type: "error", error }];
}
