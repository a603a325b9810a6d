import { Delivered, isJsonObject, type JsonObject } from "../../../canonical/mod.ts";
import { DeltaFinder, type DeltaPlace, type DeltaText } from "../../answer/delta_text.ts";
import type { UsualEvent } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { argumentsText, objectIn, objectOf, objectsOf, textOf } from "../../wire_value.ts";

const usualPlace: DeltaPlace = {
  opening: /"delta"\s*:\s*\{\s*"type"\s*:\s*"\w+"\s*,\s*"(text|thinking|partial_json)"\s*:\s*"/,
  closings: { text: "}", thinking: "}", partial_json: "}" },
};

/** Counts the content that the events of a stream deliver to the caller. */
export class BlockDelivery {
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
