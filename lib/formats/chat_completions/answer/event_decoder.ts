import {
  type CanonicalEvent,
  type Ending,
  GatewayError,
  isJsonObject,
  type JsonObject,
  type Usage,
  type UsageEvent,
} from "../../../canonical/mod.ts";
import { TextRepeats } from "../../answer/delta_text.ts";
import { truncatedAnswer, unreadableEvent } from "../../error.ts";
import type { EventDecoder } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { numberOrNothing, objectIn, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { decodeStreamError } from "../error.ts";
import { extraMembers, mark } from "../native.ts";
import {
  addDelta,
  addMore,
  type ChoiceState,
  closeChoice,
  endingOf,
  hasSaid,
  newChoice,
} from "./choice_decoder.ts";
import { usualPlace } from "./usage_reader.ts";
import type { PartCounter } from "./part_queue.ts";
import { answerMembers } from "./response.ts";
import { decodeUsage, latestUsage, usageIn } from "./usage.ts";

interface DecoderState {
  /** The answer's id, once the answer started. */
  started?: string;
  /** Members of the whole answer, as last stated. */
  members: JsonObject;
  usage?: Usage;
  readonly choices: Map<number, ChoiceState>;
  readonly counter: PartCounter;
  readonly repeats: TextRepeats;
  /** The choice and the part to which the last chunk only added text. */
  repeated?: { readonly choice: ChoiceState; readonly type: "reasoning" | "text" };
  /** True after `[DONE]`, an error or the close of the stream: later events are ignored. */
  over: boolean;
}

/**
 * Reads the chunks of a stream. Accepts the deviations of upstreams: usage on every chunk,
 * interleaved calls, calls without index, id or type, `stop` after calls, chunks without choices, a
 * missing `[DONE]`. Only `[DONE]`, or the close after every choice has a finish reason, ends an
 * answer.
 */
export function eventDecoder(): EventDecoder {
  const state: DecoderState = {
    members: {},
    choices: new Map(),
    counter: { next: 0 },
    repeats: new TextRepeats(usualPlace),
    over: false,
  };
  return {
    push: (event) => push(state, event),
    end: () => closed(state),
    get isFinished() {
      return state.over || isFinished(state);
    },
  };
}

function push(state: DecoderState, { data }: ServerSentEvent): readonly CanonicalEvent[] {
  if (state.over || data === "") return [];
  return readRepeated(state, data) ?? readParsed(state, data);
}

/** The events of a chunk that differs from the last one only in its text, as most do. */
function readRepeated(state: DecoderState, data: string): CanonicalEvent[] | undefined {
  const { repeated } = state;
  const text = repeated && state.repeats.textIn(data);
  if (!repeated || text === undefined) return undefined;
  return addMore(repeated.choice, repeated.type, { text, counter: state.counter });
}

function readParsed(state: DecoderState, data: string): readonly CanonicalEvent[] {
  state.repeated = undefined;
  if (data.trim() === "[DONE]") return finished(state);
  const chunk = objectIn(data);
  if (!chunk) return [failed(state, unreadableEvent())];
  if (chunk.error) return [...usageEvents(state, chunk), failed(state, decodeStreamError(chunk))];
  if (chunk.object === "error") return [failed(state, decodeStreamError(chunk))];
  return readChunk(state, chunk, data);
}

function readChunk(state: DecoderState, chunk: JsonObject, data: string): CanonicalEvent[] {
  const choices = objectsOf(chunk.choices);
  const usage = usageEvents(state, chunk);
  state.members = { ...state.members, ...extraMembers(chunk, answerMembers) };
  if (choices.length === 0 && usage.length === 0) return [];
  const events = startEvents(state, chunk, usage[0]?.usage);
  for (const choice of choices) {
    if (isJsonObject(choice.error)) {
      return [...events, ...usage, failed(state, decodeStreamError(choice))];
    }
    events.push(...addDelta(choiceOf(state, choice), choice, state.counter));
  }
  const isLast = usage.length > 0 || choices.some(({ finish_reason }) => finish_reason);
  if (!isLast && choices.length === 1) noteRepeated(state, choices[0], data);
  return [...events, ...usage];
}

/** Notes a chunk that only adds text; log probabilities are collected, so they are content, too. */
function noteRepeated(state: DecoderState, choice: JsonObject, data: string): void {
  const found = isJsonObject(choice.logprobs) ? undefined : state.repeats.note(data);
  if (!found || found.text === "" || found.member === "arguments") return;
  if (objectOf(choice.delta)[found.member] !== found.text) return;
  const type = found.member === "content" ? "text" : "reasoning";
  state.repeated = { choice: choiceOf(state, choice), type };
}

function startEvents(state: DecoderState, chunk: JsonObject, usage?: Usage): CanonicalEvent[] {
  if (state.started !== undefined) return [];
  state.started = textOf(chunk.id);
  const created = numberOrNothing(chunk.created);
  return [{
    type: "start",
    id: state.started,
    model: textOf(chunk.model),
    ...(created !== undefined && { createdAtMs: created * 1000 }),
    ...(usage && { usage }),
    ...mark(state.members),
  }];
}

function choiceOf(state: DecoderState, wire: JsonObject): ChoiceState {
  const index = numberOrNothing(wire.index) ?? 0;
  const known = state.choices.get(index);
  if (known) return known;
  const choice = newChoice(state.started ?? "", state.choices.size);
  state.choices.set(index, choice);
  return choice;
}

/** The chunk with the usage may omit the service tier that earlier chunks name. */
function usageEvents(state: DecoderState, chunk: JsonObject): UsageEvent[] {
  const stated = usageIn(chunk);
  if (!stated) return [];
  const tier = chunk.service_tier ?? state.members.service_tier;
  const usage = latestUsage(state.usage, decodeUsage(stated, tier));
  if (usage === state.usage) return [];
  state.usage = usage;
  return [{ type: "usage", usage }];
}

/** `[DONE]` completes the answer, unless there is no content at all. */
function finished(state: DecoderState): readonly CanonicalEvent[] {
  const choices = [...state.choices.values()];
  if (choices.length === 0 || !choices.some(hasSaid)) return [failed(state, truncatedAnswer())];
  return ended(state, choices);
}

/** The close of the stream completes the answer only if every choice has a finish reason. */
function closed(state: DecoderState): readonly CanonicalEvent[] {
  if (state.over) return [];
  return isFinished(state)
    ? ended(state, [...state.choices.values()])
    : [failed(state, truncatedAnswer())];
}

function isFinished({ choices }: DecoderState): boolean {
  for (const { reason } of choices.values()) if (reason === undefined) return false;
  return choices.size > 0;
}

function ended(state: DecoderState, choices: readonly ChoiceState[]): CanonicalEvent[] {
  try {
    const events = choices.flatMap((choice) => closeChoice(choice, state.counter));
    const endings: Ending[] = choices.map(endingOf);
    state.over = true;
    return [...events, { type: "end", endings, ...mark(state.members) }];
  } catch (error) {
    if (error instanceof GatewayError) return [failed(state, error)];
    throw error;
  }
}

function failed(state: DecoderState, error: GatewayError): CanonicalEvent {
  state.over = true;
  return { type: "error", error };
}
