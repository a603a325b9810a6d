import {
  Delivered,
  type FinishReason,
  type GatewayError,
  isJsonObject,
  type JsonObject,
  type Usage,
} from "../../../canonical/mod.ts";
import { DeltaFinder, type DeltaPlace } from "../../answer/delta_text.ts";
import type { StreamUsage, StreamUsageReader, UsageReader } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { objectIn, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { decodeStreamError } from "../error.ts";
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

/** Only deltas have a member of this name. */
const usualPlace: DeltaPlace = { opening: /"(delta)"\s*:\s*"/, closings: { delta: "" } };

/** Counts the content that the events of a stream deliver to the caller. */
class ItemDelivery {
  readonly delivered = new Delivered();
  readonly #usual = new DeltaFinder(usualPlace);
  /** Characters delivered before the last item started: an item that adds none arrives whole at its end. */
  #charsBefore = 0;

  sent({ event, data }: ServerSentEvent): void {
    const type = event !== undefined && event !== "message" ? event : typeIn(data);
    if (type.endsWith(".delta")) return this.#delta(type, data);
    if (type === "response.output_item.added") return this.#added(data);
    if (type === "response.output_item.done") return this.#done(data);
    if (endings.has(type) && !this.delivered.begun) this.#whole(data);
  }

  #delta(type: string, data: string): void {
    const { text = "" } = this.#usual.find(data) ?? {};
    if (type.includes("audio") && !type.includes("transcript")) this.delivered.addMedium();
    else this.delivered[type.includes("reasoning") ? "reasoning" : "answer"].add(text);
  }

  #added(data: string): void {
    const item = itemIn(data);
    if (calls.has(textOf(item.type))) this.delivered.answer.add(textOf(item.name));
    this.#charsBefore = this.delivered.chars;
  }

  #done(data: string): void {
    if (this.delivered.chars === this.#charsBefore) this.#item(itemIn(data));
    this.#charsBefore = this.delivered.chars;
  }

  /** An answer that was never streamed is in its terminal event. */
  #whole(data: string): void {
    for (const item of objectsOf(objectOf(objectIn(data)?.response).output)) {
      if (calls.has(textOf(item.type))) this.delivered.answer.add(textOf(item.name));
      this.#item(item);
    }
  }

  /** Counts an item without its call's name, which arrived at its start. */
  #item(item: JsonObject): void {
    const { answer, reasoning } = this.delivered;
    switch (item.type) {
      case "message":
        return answer.add(textsIn(item.content));
      case "reasoning":
        return reasoning.add(textsIn(item.summary) + textsIn(item.content));
      case "function_call":
        return answer.add(textOf(item.arguments));
      case "custom_tool_call":
        return answer.add(textOf(item.input));
      default:
        return this.delivered.addMedium(); // an image, or the result of a hosted tool
    }
  }
}

const endings = new Set(["response.completed", "response.done", "response.incomplete"]);
const calls = new Set(["function_call", "custom_tool_call"]);

function textsIn(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content).map(({ text, refusal }) => textOf(text) + textOf(refusal)).join("");
}

function itemIn(data: string): JsonObject {
  return objectOf(objectIn(data)?.item);
}

/** The type of an event without a name; members may be in any order. */
function typeIn(data: string): string {
  return /"type"\s*:\s*"((?:response|error)[\w.]*)"/.exec(data)?.[1] ?? "";
}
