import { Delivered, isJsonObject, type JsonObject } from "../../../canonical/mod.ts";
import { isParsed, parsedSimple } from "../../../json/mod.ts";
import { DeltaFinder, type DeltaPlace } from "../../answer/delta_text.ts";
import type { StreamUsage, StreamUsageReader, UsageReader } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { argumentsText, isEmpty, objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";
import { hasNoContent } from "../content.ts";
import { withEnumNames } from "../enums.ts";
import { decodeError, errorOf } from "../error.ts";
import { protoNumber } from "../spelling.ts";
import { decodeFinishReason } from "./finish.ts";
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

/** The most frequent chunk: one candidate with one part of text that is not reasoning. */
const usualPlace: DeltaPlace = {
  opening: /"parts"\s*:\s*\[\s*\{\s*"(text)"\s*:\s*"/,
  closings: { text: "}]" },
  another: '"parts"',
};

/** Counts the content that the chunks of a stream deliver to the caller. `parse` reads all other chunks. */
class PartDelivery {
  readonly delivered = new Delivered();
  readonly #usual = new DeltaFinder(usualPlace);
  readonly #parse: (data: string) => JsonObject;

  constructor(parse: (data: string) => JsonObject) {
    this.#parse = parse;
  }

  sent(data: string): void {
    const usual = this.#usual.find(data);
    if (usual) return this.delivered.answer.add(usual.text);
    if (!data.includes('"parts"')) return;
    for (const candidate of objectsOf(this.#parse(data).candidates)) {
      for (const part of objectsOf(objectOf(candidate.content).parts)) this.#part(part);
    }
  }

  #part(part: JsonObject): void {
    const { answer, reasoning } = this.delivered;
    if (part.thought === true) return reasoning.add(textOf(part.text));
    if (typeof part.text === "string") return answer.add(part.text);
    if (isJsonObject(part.functionCall)) return this.#call(part.functionCall);
    answer.add(textOf(objectOf(part.executableCode).code));
    if (!isEmpty(restOf(part, ["thoughtSignature"]))) this.delivered.addMedium();
  }

  /** A whole call, or one value of its arguments. */
  #call({ name, args, partialArgs }: JsonObject): void {
    const { answer } = this.delivered;
    answer.add(textOf(name));
    answer.add(argumentsText(args));
    for (const { stringValue, numberValue, boolValue } of objectsOf(partialArgs)) {
      answer.add(String(stringValue ?? numberValue ?? boolValue ?? "null"));
    }
  }
}

/**
 * Trims the events after a candidate's finish reason. Passes usage, sources, other members, and an
 * empty text with a signature. Drops further content, a second finish reason and repeated usage
 * beside them: clients take the last chunk for the end.
 */
class Tail {
  readonly #finished = new Set<unknown>();
  #statesUsage = false;
  readonly #parse: (data: string) => JsonObject;

  constructor(parse: (data: string) => JsonObject) {
    this.#parse = parse;
  }

  /** Returns the same event, a reduced one, or undefined. */
  push(event: ServerSentEvent): ServerSentEvent | undefined {
    const chunk = this.#parse(event.data);
    const candidates = objectsOf(chunk.candidates);
    const kept = candidates.flatMap((candidate) => this.#candidate(candidate));
    const isWhole = kept.length === candidates.length &&
      kept.every((candidate, at) => candidate === candidates[at]);
    const known = this.#statesUsage ? ["usageMetadata"] : [];
    this.#statesUsage ||= chunk.usageMetadata !== undefined;
    if (isWhole) return event;
    const rest = restOf(chunk, ["candidates", ...known]);
    if (kept.length > 0) return { ...event, data: JSON.stringify({ ...rest, candidates: kept }) };
    const isIdentity = isEmpty(restOf(rest, ["modelVersion", "responseId", "createTime"]));
    return isIdentity ? undefined : { ...event, data: JSON.stringify(rest) };
  }

  #candidate(candidate: JsonObject): readonly JsonObject[] {
    const { index = 0, finishReason, content } = candidate;
    const ends = textOf(finishReason) !== "";
    if (!this.#finished.has(index)) {
      if (ends) this.#finished.add(index);
      return [candidate];
    }
    const parts = objectsOf(objectOf(content).parts);
    const speaks = !parts.every(hasNoContent);
    if (!ends && !speaks) return [candidate];
    const proves = !speaks && parts.some(({ thoughtSignature }) => textOf(thoughtSignature) !== "");
    const rest = restOf(candidate, ["finishReason", ...(proves ? [] : ["content"])]);
    return isEmpty(restOf(rest, ["index"])) ? [] : [rest];
  }
}
