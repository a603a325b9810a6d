import { Delivered, isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import type { ServerSentEvent } from "../codec.ts";
import { DeltaFinder, type DeltaPlace } from "../delta_text.ts";
import { argumentsText, objectIn, objectOf, textOf } from "../wire_value.ts";

const usualPlace: DeltaPlace = {
  opening: /"delta"\s*:\s*\{\s*"type"\s*:\s*"\w+"\s*,\s*"(text|thinking|partial_json)"\s*:\s*"/,
  closings: { text: "}", thinking: "}", partial_json: "}" },
};

/** What the events of a stream say to its caller. */
export class BlockDelivery {
  readonly delivered = new Delivered();
  readonly #usual = new DeltaFinder(usualPlace);

  sent({ event, data }: ServerSentEvent): void {
    if (event !== "content_block_delta" && !isContent(event ?? data)) return;
    const usual = this.#usual.find(data);
    if (!usual) return this.#parsed(data);
    const kind = usual.member === "thinking" ? "reasoning" : "answer";
    this.delivered[kind].add(usual.text);
  }

  #parsed(data: string): void {
    const wire = objectIn(data) ?? {};
    if (isJsonObject(wire.content_block)) this.#block(wire.content_block);
    this.#delta(objectOf(wire.delta));
  }

  /** A block as it begins; calls and what the vendor ran itself come with a name or whole. */
  #block(block: JsonObject): void {
    const { answer, reasoning } = this.delivered;
    answer.add(textOf(block.text) + textOf(block.name));
    reasoning.add(textOf(block.thinking));
    answer.add(argumentsText(block.input));
    if (!told.has(block.type)) this.delivered.addMedium();
  }

  #delta(delta: JsonObject): void {
    const { answer, reasoning } = this.delivered;
    answer.add(textOf(delta.text) + textOf(delta.partial_json) + textOf(delta.content));
    reasoning.add(textOf(delta.thinking));
  }
}

/** Blocks whose beginning is nothing yet. */
const told: ReadonlySet<unknown> = new Set(["text", "thinking", "tool_use"]);

/** By the event's name, or by its type in the data. */
function isContent(named: string): boolean {
  return named.includes("content_block_delta") || named.includes("content_block_start");
}
