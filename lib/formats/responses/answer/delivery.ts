import { Delivered, type JsonObject } from "../../../canonical/mod.ts";
import { DeltaFinder, type DeltaPlace } from "../../answer/delta_text.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { objectIn, objectOf, objectsOf, textOf } from "../../wire_value.ts";

/** Only deltas have a member of this name. */
const usualPlace: DeltaPlace = { opening: /"(delta)"\s*:\s*"/, closings: { delta: "" } };

/** Counts the content that the events of a stream deliver to the caller. */
export class ItemDelivery {
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
