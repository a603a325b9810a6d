import {
  type Delivered,
  type FinishReason,
  type GatewayError,
  isJsonObject,
  type JsonObject,
  type Usage,
} from "../../../canonical/mod.ts";
import type { StreamUsage, StreamUsageReader, UsageReader } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { objectIn, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { decodeStreamError } from "../error.ts";
import { ItemDelivery } from "./delivery.ts";
import { decodeEnding } from "./finish.ts";
import { hasFailed } from "./response.ts";
import { decodeUsage } from "./usage.ts";

export const usageReader: UsageReader = {
  endsAt: "terminal-event",
  usage: (body) => isJsonObject(body) ? decodeUsage(body) : undefined,
  stream: () => new ResponsesUsageReader(),
};

/** The events that state an ending. All others are not parsed. */
const telling = [
  "response.completed",
  "response.done",
  "response.incomplete",
  "response.failed",
  "response.cancelled",
  "error",
];

class ResponsesUsageReader implements StreamUsageReader {
  #usage?: Usage;
  #outcome: StreamUsage["outcome"] = "open";
  #error?: GatewayError;
  #finishReason?: FinishReason;
  readonly #delivery = new ItemDelivery();

  get delivered(): Delivered {
    return this.#delivery.delivered;
  }

  /** Only the terminal event states the ending. */
  get isFinished(): boolean {
    return this.#outcome === "completed";
  }

  sent(event: ServerSentEvent): void {
    this.#delivery.sent(event);
  }

  push(event: ServerSentEvent): "open" | "terminal" {
    if (this.#outcome === "completed" || !mayTell(event)) return "open";
    const wire = objectIn(event.data) ?? {};
    const type = textOf(wire.type) || (event.event ?? "");
    if (!telling.includes(type)) return "open";
    // `response.failed` follows an `error`, and clients wait for it.
    return type === "error"
      ? this.#failed(decodeStreamError(wire), "open")
      : this.#ended(type, wire);
  }

  result(): StreamUsage {
    return {
      outcome: this.#outcome,
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#error && { error: this.#error }),
    };
  }

  finishReasons(): readonly FinishReason[] {
    return this.#finishReason ? [this.#finishReason] : [];
  }

  #ended(type: string, wire: JsonObject): "terminal" {
    const response = objectOf(wire.response);
    this.#usage = decodeUsage(response) ?? this.#usage;
    const bad = type === "response.failed" || type === "response.cancelled" || hasFailed(response);
    if (bad || this.#outcome === "failed") this.#failed(decodeStreamError(response), "terminal");
    else this.#complete(response);
    return "terminal";
  }

  #complete(response: JsonObject): void {
    this.#outcome = "completed";
    const calls = objectsOf(response.output).some(({ type }) =>
      type === "function_call" || type === "custom_tool_call"
    );
    this.#finishReason = decodeEnding(response, { calls, refusal: false }).finishReason;
  }

  /** The first error counts: it is the most specific. */
  #failed<Verdict extends "open" | "terminal">(error: GatewayError, verdict: Verdict): Verdict {
    this.#outcome = "failed";
    this.#error ??= error;
    return verdict;
  }
}

/**
 * Checks the event's name, or its quoted type: within a text the quotation marks would be escaped.
 */
function mayTell({ event, data }: ServerSentEvent): boolean {
  if (event !== undefined && event !== "message") return telling.includes(event);
  return telling.some((type) => data.includes(`"${type}"`));
}
