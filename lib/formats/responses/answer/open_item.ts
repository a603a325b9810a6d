import type { JsonObject, JsonValue } from "../../../canonical/mod.ts";
import { objectOf, textOf } from "../../wire_value.ts";
import { itemType } from "../schema.ts";

/** An item of a streamed response between its first and its last event. */
export class OpenItem {
  readonly #item: JsonObject;
  readonly #place: JsonValue;
  /** Its finished parts. */
  readonly #parts: JsonObject[] = [];
  /** The part that is being written, as it began, and its text so far. */
  #part?: JsonObject | undefined;
  #text = "";

  /** Takes the event `response.output_item.added`. */
  constructor({ item, output_index }: JsonObject) {
    this.#item = objectOf(item);
    this.#place = output_index ?? 0;
  }

  /** Follows an event within the item; others than those of parts and texts change nothing. */
  see(type: string, { part, delta }: JsonObject): void {
    if (type === "response.content_part.added") {
      this.#part = objectOf(part);
      this.#text = "";
    } else if (type === "response.content_part.done") {
      this.#parts.push(objectOf(part));
      this.#part = undefined;
    } else this.#text += textOf(delta);
  }

  /** True for a message with text: of calls and reasoning, a part is of no use to a model. */
  get isCuttable(): boolean {
    const hasText = this.#parts.length > 0 || (this.#part !== undefined && this.#text !== "");
    return itemType(this.#item) === "message" && hasText;
  }

  /** The item as far as it came, and the events that end it. */
  cut(): { readonly item: JsonObject; readonly events: readonly JsonObject[] } {
    const part = this.#part && this.#closedPart(this.#part);
    const content = part ? [...this.#parts, part] : this.#parts;
    const item = { ...this.#item, status: "incomplete", content };
    const done = { type: "response.output_item.done", output_index: this.#place, item };
    return { item, events: [...part ? this.#partEnds(part) : [], done] };
  }

  #closedPart(part: JsonObject): JsonObject {
    return { ...part, [part.type === "refusal" ? "refusal" : "text"]: this.#text };
  }

  #partEnds(part: JsonObject): readonly JsonObject[] {
    const at = {
      item_id: this.#item.id ?? "",
      output_index: this.#place,
      content_index: this.#parts.length,
    };
    const end = part.type === "refusal"
      ? { type: "response.refusal.done", ...at, refusal: this.#text }
      : { type: "response.output_text.done", ...at, text: this.#text, logprobs: [] };
    return [end, { type: "response.content_part.done", ...at, part }];
  }
}
