import { Delivered, isJsonObject, type JsonObject } from "../../../canonical/mod.ts";
import { DeltaFinder, type DeltaPlace, type DeltaText } from "../../answer/delta_text.ts";
import type { UsualEvent } from "../../stream.ts";
import {
  argumentsText,
  noMembers,
  objectIn,
  objectOf,
  objectsOf,
  positionText,
  textOf,
} from "../../wire_value.ts";
import { wireCallOf } from "../calls.ts";
import { carriedText, detailsText } from "../thoughts.ts";
import { contentText, contentThoughts } from "./part.ts";

/** The most frequent chunk: one choice with one piece of text, reasoning or a call's arguments. */
export const usualPlace: DeltaPlace = {
  opening:
    /"delta"\s*:\s*\{\s*(?:"role"\s*:\s*"assistant"\s*,\s*)?(?:"tool_calls"\s*:\s*\[\s*\{\s*"index"\s*:\s*\d+\s*,\s*"function"\s*:\s*\{\s*)?"(content|reasoning_content|reasoning|arguments)"\s*:\s*"/,
  closings: { content: "}", reasoning_content: "}", reasoning: "}", arguments: "}}]}" },
  another: '"delta"',
};

/** Counts the content that the chunks of a stream deliver to the caller. */
export class ChunkDelivery {
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
