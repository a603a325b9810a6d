import {
  Delivered,
  type FinishReason,
  type GatewayError,
  isJsonObject,
  type JsonObject,
} from "../../../canonical/mod.ts";
import { DeltaFinder, type DeltaPlace, type DeltaText } from "../../answer/delta_text.ts";
import type {
  EventRole,
  StreamUsage,
  StreamUsageReader,
  UsageReader,
  UsualEvent,
} from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { argumentsText, objectIn, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { decodeStreamError } from "../error.ts";
import { isAnotherId } from "../ids.ts";
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

const usualPlace: DeltaPlace = {
  opening: /"delta"\s*:\s*\{\s*"type"\s*:\s*"\w+"\s*,\s*"(text|thinking|partial_json)"\s*:\s*"/,
  closings: { text: "}", thinking: "}", partial_json: "}" },
};

/** Counts the content that the events of a stream deliver to the caller. */
class BlockDelivery {
  readonly delivered = new Delivered();
  readonly #usual = new DeltaFinder(usualPlace);
  readonly #addFound = (found: DeltaText) => this.#add(found);
  /** The name of the last event with content. */
  #name?: string;
  /** Blocks in the start of the message: streaming them again delivers nothing new. */
  readonly #stated = new Map<unknown, JsonObject>();

  sent({ event, data }: ServerSentEvent): void {
    if (event !== "content_block_delta" && !isContent(event ?? data)) return;
    this.#name = event;
    const usual = this.#stated.size === 0 ? this.#usual.find(data) : undefined;
    if (usual) this.#add(usual);
    else this.#parsed(data);
  }

  /** The last event with content around its text; undefined if it had to be parsed. */
  get usual(): UsualEvent | undefined {
    return this.#stated.size === 0 ? this.#usual.usual(this.#addFound, this.#name) : undefined;
  }

  #add({ member, text }: DeltaText): void {
    this.delivered[member === "thinking" ? "reasoning" : "answer"].add(text);
  }

  #parsed(data: string): void {
    const wire = objectIn(data) ?? {};
    for (const [index, block] of objectsOf(objectOf(wire.message).content).entries()) {
      this.#block(block);
      if (saysSomething(block)) this.#stated.set(index, block);
    }
    if (isJsonObject(wire.content_block) && !this.#repeats(wire.index, wire.content_block)) {
      this.#stated.delete(wire.index);
      this.#block(wire.content_block);
    }
    if (!this.#stated.has(wire.index)) this.#delta(objectOf(wire.delta));
  }

  #repeats(index: unknown, { type, id }: JsonObject): boolean {
    const stated = this.#stated.get(index);
    return stated !== undefined && stated.type === type && textOf(stated.id) === textOf(id);
  }

  /** A block's start; calls and hosted tools have a name or their whole content there. */
  #block(block: JsonObject): void {
    const { answer, reasoning } = this.delivered;
    answer.add(textOf(block.text) + textOf(block.name));
    reasoning.add(textOf(block.thinking));
    answer.add(argumentsText(block.input));
    if (!emptyAtStart.has(block.type)) this.delivered.addMedium();
  }

  #delta(delta: JsonObject): void {
    const { answer, reasoning } = this.delivered;
    answer.add(textOf(delta.text) + textOf(delta.partial_json) + textOf(delta.content));
    reasoning.add(textOf(delta.thinking));
  }
}

/** Blocks that deliver nothing at their start. */
const emptyAtStart: ReadonlySet<unknown> = new Set(["text", "thinking", "tool_use"]);

function saysSomething({ text, thinking, input }: JsonObject): boolean {
  return textOf(text) + textOf(thinking) + argumentsText(input) !== "";
}

/** Returns true for content events, by the event's name or the type in its data. */
function isContent(named: string): boolean {
  return contentEvents.some((name) => named.includes(name));
}

const contentEvents = ["content_block_delta", "content_block_start", "message_start"] as const;
