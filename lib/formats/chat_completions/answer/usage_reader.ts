import {
  Delivered,
  type GatewayError,
  isJsonObject,
  type JsonObject,
  serviceTierOf,
  type Usage,
} from "../../../canonical/mod.ts";
import { isParsed, memberText, withMember } from "../../../json/mod.ts";
import { DeltaFinder, type DeltaPlace, type DeltaText } from "../../answer/delta_text.ts";
import { type MeteredStream, type StatedCost, takesMember } from "../../codec.ts";
import type { StreamUsage, StreamUsageReader, UsageReader, UsualEvent } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import {
  argumentsText,
  listOf,
  noMembers,
  objectIn,
  objectOf,
  objectsOf,
  positionText,
  textOf,
} from "../../wire_value.ts";
import { wireCallOf } from "../calls.ts";
import { decodeStreamError } from "../error.ts";
import { carriedText, detailsText } from "../thoughts.ts";
import { isFailure, reasonOfWord } from "./finish.ts";
import { contentText, contentThoughts } from "./part.ts";
import { decodeUsage, latestUsage, usageIn } from "./usage.ts";

interface ReaderState {
  /** The number of requested choices. */
  readonly alternatives: number;
  /** The finish reasons so far, by the index of their choice. */
  readonly finished: Map<unknown, string>;
  usage?: Usage;
  /** The service tier that was named last. */
  tier?: string;
  outcome: StreamUsage["outcome"];
  error?: GatewayError;
}

/** Usage and outcome of answers that pass through unchanged. Chunks without either are not parsed. */
export const usageReader: UsageReader = {
  endsAt: "terminal-event",
  terminalEvent: { data: "[DONE]" },
  usage(body) {
    const wire = isJsonObject(body) ? usageIn(body) : undefined;
    return wire && decodeUsage(wire, objectOf(body).service_tier);
  },
  stream: streamReader,
};

/**
 * Streams state usage only if `include_usage` requests it; servers that do not know the option may
 * state it anyway.
 */
export const meteredStream: MeteredStream = {
  members(body, dialect) {
    if (body.stream !== true || !takesMember(dialect, "stream_options")) return undefined;
    const options = objectOf(body.stream_options);
    return options.include_usage === true
      ? undefined
      : { stream_options: { ...options, include_usage: true } };
  },
  /** Matches the chunk that has usage and no choice; usage beside a choice comes from the upstream itself. */
  isExtra({ data }) {
    if (!mayHaveUsage(data)) return false;
    const chunk = objectIn(data) ?? {};
    return isJsonObject(chunk.usage) && listOf(chunk.choices).length === 0;
  },
};

function streamReader(alternatives = 1): StreamUsageReader {
  const state: ReaderState = { alternatives, finished: new Map(), outcome: "open" };
  const delivery = new ChunkDelivery();
  return {
    push: (event) => push(state, event),
    sent: ({ data }) => delivery.sent(data),
    get usual() {
      return delivery.usual;
    },
    delivered: delivery.delivered,
    get isFinished() {
      return state.outcome === "completed" || state.finished.size >= alternatives;
    },
    result: () => resultOf(state),
    finishReasons: () => [...state.finished.values()].map(reasonOfWord),
  };
}

function push(state: ReaderState, { data }: ServerSentEvent): "open" | "terminal" {
  if (state.outcome !== "open") return "open";
  if (data.length < 16 && data.trim() === "[DONE]") return complete(state);
  if (data.includes('"service_tier"')) state.tier = tierIn(data) ?? state.tier;
  if (!isParsed(data) && !telling.test(data)) return "open";
  const chunk = objectIn(data) ?? {};
  const usage = usageIn(chunk);
  if (usage) state.usage = latestUsage(state.usage, decodeUsage(usage, state.tier));
  for (const { index, finish_reason: reason } of objectsOf(chunk.choices)) {
    const word = textOf(reason);
    if (word !== "" && !isFailure(word)) state.finished.set(index ?? 0, word);
  }
  return chunk.error || chunk.object === "error" ? fail(state, chunk) : "open";
}

function resultOf({ usage, tier, outcome, error }: ReaderState): StreamUsage {
  const servedTier = usage ? undefined : serviceTierOf(tier);
  return {
    outcome,
    ...(usage && { usage }),
    ...(servedTier !== undefined && { servedTier }),
    ...(error && { error }),
  };
}

/** Quotation marks inside a text would be escaped, so this never matches a text. */
function tierIn(data: string): string | undefined {
  return /"service_tier"\s*:\s*"([^"]*)"/.exec(data)?.[1];
}

function complete(state: ReaderState): "terminal" {
  state.outcome = "completed";
  return "terminal";
}

function fail(state: ReaderState, chunk: JsonObject): "terminal" {
  state.outcome = "failed";
  state.error = decodeStreamError(chunk);
  return "terminal";
}

/**
 * Matches chunks with usage or an outcome in one search, because every chunk is searched. Quotation
 * marks inside a text would be escaped.
 */
const telling = /"error"|"usage"\s*:\s*\{|"finish_reason"\s*:\s*"[^"]/;

/** `"usage":null` is on every chunk; only an object counts. */
function mayHaveUsage(data: string): boolean {
  return isParsed(data) || /"usage"\s*:\s*\{/.test(data);
}

/**
 * `usage: { include: true }`, as OpenRouter's callers request it. It is removed for upstreams:
 * other vendors refuse it.
 */
export const statedCost: StatedCost = {
  member: "usage",
  isAsked: ({ usage }) => objectOf(usage).include === true,
  isLast({ data }) {
    if (!mayHaveUsage(data)) return false;
    const { usage, choices } = objectIn(data) ?? {};
    const [choice, ...others] = listOf(choices).map(objectOf);
    const isOver = choice === undefined || (others.length === 0 && isFinished(choice));
    return isJsonObject(usage) && isOver;
  },
  state(text, usd) {
    const usage = memberText(text, "usage");
    if (!usage?.startsWith("{")) return text;
    return withMember(text, "usage", withMember(usage, "cost", usd));
  },
};

/** True for a choice's last chunk, in which some vendors state usage (Mistral; 2026-11-21). */
function isFinished({ finish_reason }: JsonObject): boolean {
  return typeof finish_reason === "string";
}

/** The most frequent chunk: one choice with one piece of text, reasoning or a call's arguments. */
export const usualPlace: DeltaPlace = {
  opening:
    /"delta"\s*:\s*\{\s*(?:"role"\s*:\s*"assistant"\s*,\s*)?(?:"tool_calls"\s*:\s*\[\s*\{\s*"index"\s*:\s*\d+\s*,\s*"function"\s*:\s*\{\s*)?"(content|reasoning_content|reasoning|arguments)"\s*:\s*"/,
  closings: { content: "}", reasoning_content: "}", reasoning: "}", arguments: "}}]}" },
  another: '"delta"',
};

/** Counts the content that the chunks of a stream deliver to the caller. */
class ChunkDelivery {
  readonly delivered = new Delivered();
  readonly #usual = new DeltaFinder(usualPlace);
  /** Calls whose names arrived: some upstreams repeat them in every chunk. */
  readonly #named = new Set<string>();
  /** True if reasoning arrived as text: details after it repeat it. */
  #carried = false;
  readonly #addFound = (found: DeltaText) => this.#add(found);

  sent(data: string): void {
    const usual = this.#usual.find(data);
    if (usual) this.#add(usual);
    else this.#parsed(data);
  }

  /** The last chunk around its text; undefined if it had to be parsed. */
  get usual(): UsualEvent | undefined {
    return this.#usual.usual(this.#addFound);
  }

  #add({ member, text }: DeltaText): void {
    const isAnswer = member === "content" || member === "arguments";
    if (isAnswer) this.delivered.answer.add(text);
    else this.#addThought(text);
  }

  #parsed(data: string): void {
    if (!data.includes('"delta"') && !data.includes('"message"')) return;
    for (const choice of objectsOf(objectIn(data)?.choices)) {
      this.#message(positionText(choice.index ?? 0), objectOf(choice.delta ?? choice.message));
    }
  }

  #message(choice: string, message: JsonObject): void {
    const { answer } = this.delivered;
    this.#thoughts(message);
    answer.add(contentText(message.content));
    answer.add(textOf(message.refusal));
    for (const call of objectsOf(message.tool_calls)) this.#call(choice, call);
    if (isJsonObject(message.function_call)) {
      this.#call(choice, { function: message.function_call });
    }
    this.#media(message);
  }

  #thoughts(message: JsonObject): void {
    this.#addThought(carriedText(message) || contentThoughts(message.content));
    if (this.#carried) return;
    this.delivered.reasoning.add(detailsText(objectsOf(message.reasoning_details)));
  }

  #addThought(text: string): void {
    this.#carried ||= text !== "";
    this.delivered.reasoning.add(text);
  }

  #call(choice: string, wire: JsonObject): void {
    const { index, id } = wire;
    const { name, input } = wireCallOf(wire) ?? noMembers;
    const key = `${choice} ${typeof index === "number" ? index : textOf(id)}`;
    if (!this.#named.has(key)) this.delivered.answer.add(textOf(name));
    if (textOf(name) !== "") this.#named.add(key);
    this.delivered.answer.add(argumentsText(input));
  }

  #media({ audio, images }: JsonObject): void {
    const { data, transcript } = objectOf(audio);
    this.delivered.answer.add(textOf(transcript));
    if (textOf(data) !== "" || objectsOf(images).length > 0) this.delivered.addMedium();
  }
}
