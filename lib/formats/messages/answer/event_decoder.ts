import {
  type CanonicalEvent,
  GatewayError,
  isJsonObject,
  type JsonObject,
  partEvents,
} from "../../../canonical/mod.ts";
import { invalidAnswer, truncatedAnswer, unreadableEvent } from "../../error.ts";
import type { EventDecoder } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { isEmpty, objectIn, objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";
import { decodeStreamError } from "../error.ts";
import { isAnotherId } from "../ids.ts";
import { keep, mark } from "../native.ts";
import {
  blockGrown,
  blockStarted,
  blockStated,
  blockStopped,
  type DecoderState,
  nextInOrder,
} from "./block_queue.ts";
import { decodeEnding, explanationOf } from "./finish.ts";
import { messageFields } from "./response.ts";
import { decodeUsage, mergedUsage, statesOutput } from "./usage.ts";

export function eventDecoder(): EventDecoder {
  return new Decoder();
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
    return this.#state.ended || isFinished(this.#state);
  }

  push({ event, data }: ServerSentEvent): CanonicalEvent[] {
    const state = this.#state;
    if (state.ended || data === "" || data === "[DONE]") return [];
    const wire = objectIn(data);
    return wire
      ? decodeEvent(state, textOf(wire.type) || (event ?? ""), wire)
      : failed(state, unreadableEvent());
  }

  /** Some servers close without `message_stop`; a stop reason completes the answer, too. */
  end(): CanonicalEvent[] {
    const state = this.#state;
    if (state.ended) return [];
    return isFinished(state) ? completed(state) : failed(state, truncatedAnswer());
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
 * Some proxies start a message twice, with the same id or before any content: then the later usage
 * counts. After content, another id belongs to another message, and this one is incomplete.
 */
function messageStarted(state: DecoderState, message: JsonObject): CanonicalEvent[] {
  const isBegun = state.parts > 0 || state.queue.length > 0;
  if (isBegun && isAnotherId(state.id, message.id)) {
    if (isFinished(state)) return completed(state);
    return failed(state, invalidAnswer("another message begins before the first one ends"));
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

function used(state: DecoderState, wire: unknown): CanonicalEvent[] {
  if (!isJsonObject(wire)) return [];
  state.usage = mergedUsage(state.usage, wire);
  const usage = decodeUsage(state.usage);
  if (!usage) return [];
  return [{ type: "usage", usage, ...(state.outputPending && { outputPending: true }) }];
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

/** Completes the answer, unless nothing arrived. */
function stopped(state: DecoderState): CanonicalEvent[] {
  const says = state.parts > 0 || textOf(state.ending.stop_reason) !== "" ||
    !isEmpty(state.usage);
  return says ? completed(state) : failed(state, truncatedAnswer());
}

/** Closes every open block; the explanation of a refusal becomes a part of its own. */
function completed(state: DecoderState): CanonicalEvent[] {
  for (const reader of state.queue) reader.stop();
  const events = nextInOrder(state);
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
