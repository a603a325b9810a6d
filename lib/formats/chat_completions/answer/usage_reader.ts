import {
  type GatewayError,
  isJsonObject,
  type JsonObject,
  serviceTierOf,
  type Usage,
} from "../../../canonical/mod.ts";
import { isParsed } from "../../../json/mod.ts";
import type { MeteredStream } from "../../codec.ts";
import { takesMember } from "../../dialect.ts";
import type { StreamUsage, StreamUsageReader, UsageReader } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { listOf, objectIn, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { decodeStreamError } from "../error.ts";
import { ChunkDelivery } from "./delivery.ts";
import { isFailure, reasonOfWord } from "./finish.ts";
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
  return isError(chunk) ? fail(state, chunk) : "open";
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

function isError(chunk: JsonObject): boolean {
  return Boolean(chunk.error) || chunk.object === "error";
}

/**
 * Matches chunks with usage or an outcome in one search, because every chunk is searched. Quotation
 * marks inside a text would be escaped.
 */
const telling = /"error"|"usage"\s*:\s*\{|"finish_reason"\s*:\s*"[^"]/;

/** `"usage":null` is on every chunk; only an object counts. */
export function mayHaveUsage(data: string): boolean {
  return isParsed(data) || /"usage"\s*:\s*\{/.test(data);
}
