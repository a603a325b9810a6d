import { type Delivered, isJsonObject, type JsonObject } from "../../../canonical/mod.ts";
import { isParsed, parsedSimple } from "../../../json/mod.ts";
import type { StreamUsage, StreamUsageReader, UsageReader } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { withEnumNames } from "../enums.ts";
import { decodeError, errorOf } from "../error.ts";
import { protoNumber } from "../proto_number.ts";
import { PartDelivery } from "./delivery.ts";
import { decodeFinishReason } from "./finish.ts";
import { Tail } from "./tail.ts";
import { addHostedToolCalls, decodeUsage } from "./usage.ts";

/** Usage may follow the chunk with the finish reason, so only the close ends an answer. */
export const usageReader: UsageReader = {
  promptBlocked: (body) =>
    isJsonObject(body) && isBlocked(withEnumNames(body)) && hasNoCandidate(body),
  usage: (body) => isJsonObject(body) ? decodeUsage(withEnumNames(body)) : undefined,
  endsAt: "close",
  stream: streamReader,
};

interface ReaderState {
  /** The finish reasons so far, by the index of their candidate. */
  readonly finished: Map<unknown, string>;
  /** The last two events with usage, newest first: they are parsed on demand, and the newest may be torn. */
  usageData: readonly string[];
  hostedToolCalls: Readonly<Record<string, number>>;
  outcome: StreamUsage["outcome"];
  error?: StreamUsage["error"];
  /** True if the prompt was blocked and no candidate arrived. */
  blocked?: boolean;
}

function streamReader(alternatives = 1): StreamUsageReader {
  const state: ReaderState = {
    finished: new Map(),
    usageData: [],
    hostedToolCalls: {},
    outcome: "open",
  };
  const tail = new Tail(parsed);
  const delivery = new PartDelivery(parsed);
  return {
    push: (event) => look(state, event),
    sent: ({ data }) => delivery.sent(data),
    delivered: delivery.delivered,
    trailing: (event) => tail.push(event),
    get isFinished() {
      return state.finished.size >= alternatives || state.blocked === true;
    },
    result: () => resultOf(state, delivery.delivered),
    finishReasons: () =>
      [...state.finished.values()].map((word) => decodeFinishReason(word, false)),
  };
}

/**
 * Matches chunks with an outcome or with billed tool calls in one search, because every chunk is
 * searched. Within a JSON string the quotation marks would be escaped.
 */
const telling = /"(?:finishReason|blockReason|error|webSearchQueries|urlMetadata|executableCode)"/;

function look(state: ReaderState, { data }: ServerSentEvent): "open" | "terminal" {
  if (/"usageMetadata"/.test(data)) state.usageData = [data, ...state.usageData.slice(0, 1)];
  if (!isParsed(data) && !telling.test(data)) return "open";
  const chunk = parsed(data);
  state.hostedToolCalls = addHostedToolCalls(state.hostedToolCalls, chunk);
  return judge(state, chunk);
}

function judge(state: ReaderState, chunk: JsonObject): "open" | "terminal" {
  if (isJsonObject(chunk.error)) {
    const status = protoNumber(errorOf(chunk).code) || 500;
    state.outcome = "failed";
    state.error = decodeError({ status, headers: {}, body: chunk });
    return "terminal";
  }
  const finished = objectsOf(chunk.candidates).filter(({ finishReason }) =>
    textOf(finishReason) !== ""
  );
  for (const { index, finishReason } of finished) {
    state.finished.set(index ?? 0, textOf(finishReason));
  }
  const blocked = isBlocked(chunk);
  if (finished.length === 0 && !blocked) return "open";
  state.blocked = finished.length > 0 ? false : state.blocked ?? hasNoCandidate(chunk);
  if (state.outcome === "open") state.outcome = "completed";
  return "terminal";
}

function isBlocked(answer: JsonObject): boolean {
  return textOf(objectOf(answer.promptFeedback).blockReason) !== "";
}

function hasNoCandidate({ candidates }: JsonObject): boolean {
  return objectsOf(candidates).length === 0;
}

function resultOf(state: ReaderState, { begun }: Delivered): StreamUsage {
  const { usageData, hostedToolCalls, outcome, error } = state;
  const [usage] = usageData.map((data) => decodeUsage(parsed(data), hostedToolCalls))
    .filter((decoded) => decoded !== undefined);
  return {
    outcome,
    ...(usage && { usage }),
    ...(error && { error }),
    ...(state.blocked && !begun && { promptBlocked: true }),
  };
}

/** A broken event is ignored here; the caller receives it unchanged. */
function parsed(data: string): JsonObject {
  try {
    const value: unknown = parsedSimple(data);
    return withEnumNames(objectOf(Array.isArray(value) ? value[0] : value));
  } catch {
    return {};
  }
}
