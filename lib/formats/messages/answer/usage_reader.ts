import {
  type Delivered,
  type FinishReason,
  type GatewayError,
  isJsonObject,
  type JsonObject,
} from "../../../canonical/mod.ts";
import type {
  EventRole,
  StreamUsage,
  StreamUsageReader,
  UsageReader,
  UsualEvent,
} from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { objectIn, objectOf, textOf } from "../../wire_value.ts";
import { decodeStreamError } from "../error.ts";
import { isAnotherId } from "../ids.ts";
import { BlockDelivery } from "./delivery.ts";
import { reasonOfWord } from "./finish.ts";
import { decodeUsage, mergedUsage, statesOutput } from "./usage.ts";

/** A stream states its usage at the start and at the end; the later values replace the earlier ones. */
export const usageReader: UsageReader = {
  usage: (body) => isJsonObject(body) ? decodeUsage(body.usage) : undefined,
  stream: () => new MessagesUsageReader(),
  endsAt: "terminal-event",
  terminalEvent: { event: "message_stop", data: '{"type":"message_stop"}' },
};

/** Names of the events with usage or an outcome; each event contains its name. */
const telling = ["message_start", "message_delta", "message_stop", "error"] as const;

class MessagesUsageReader implements StreamUsageReader {
  #usage?: JsonObject;
  #outcome: StreamUsage["outcome"] = "open";
  #error?: GatewayError;
  #outputPending = true;
  #stopReason = "";
  #id = "";
  readonly #delivery = new BlockDelivery();

  get delivered(): Delivered {
    return this.#delivery.delivered;
  }

  get usual(): UsualEvent | undefined {
    return this.#delivery.usual;
  }

  get isFinished(): boolean {
    return this.#outcome === "completed" || this.#stopReason !== "";
  }

  sent(event: ServerSentEvent): void {
    this.#delivery.sent(event);
  }

  push(event: ServerSentEvent): EventRole {
    const wire = isTelling(event) ? objectIn(event.data) : undefined;
    if (!wire || this.#outcome !== "open") return "open";
    switch (wire.type ?? event.event) {
      case "message_start":
        return this.#start(objectOf(wire.message));
      case "message_delta":
        this.#merge(wire.usage);
        this.#stopReason ||= textOf(objectOf(wire.delta).stop_reason);
        if (statesOutput(wire.usage)) this.#outputPending = false;
        return "open";
      case "message_stop":
        this.#outcome = "completed";
        return "terminal";
      case "error":
        this.#outcome = "failed";
        this.#error = decodeStreamError(wire);
        return "terminal";
      default:
        return "open";
    }
  }

  result(): StreamUsage {
    const usage = decodeUsage(this.#usage);
    return {
      outcome: this.#outcome,
      ...(usage && { usage }),
      ...(usage && this.#outputPending && { outputPending: true }),
      ...(this.#error && { error: this.#error }),
    };
  }

  finishReasons(): readonly FinishReason[] {
    return this.#stopReason === "" ? [] : [reasonOfWord(this.#stopReason)];
  }

  /** After content, another id belongs to another message, as in the event decoder. */
  #start({ id, usage }: JsonObject): EventRole {
    if (this.delivered.begun && isAnotherId(this.#id, id)) return "foreign";
    this.#id ||= textOf(id);
    if (this.#outputPending) this.#merge(usage);
    return "open";
  }

  #merge(usage: unknown): void {
    if (isJsonObject(usage)) this.#usage = mergedUsage(this.#usage ?? {}, usage);
  }
}

/** Inside a string the second quotation mark would be escaped, so this never matches a text. */
function isTelling({ event, data }: ServerSentEvent): boolean {
  if (event !== undefined) return telling.some((name) => name === event);
  return telling.some((name) => data.includes(`"${name}"`));
}
