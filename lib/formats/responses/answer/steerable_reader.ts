import type { JsonObject, JsonValue } from "../../../canonical/mod.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { lateEvent, nextNumber } from "../error.ts";
import { OpenItem } from "./open_item.ts";
import { requiredInput } from "./required_input.ts";
import { AnswerStateReader, typeOf, valueOf } from "./state.ts";

/** The events of items and their texts. */
const followed: ReadonlySet<string> = new Set([
  "response.output_item.added",
  "response.output_item.done",
  "response.content_part.added",
  "response.content_part.done",
  "response.output_text.delta",
  "response.refusal.delta",
]);

/** Reads a response that its caller may steer: follows its items, to end it early. */
export class SteerableReader extends AnswerStateReader {
  readonly #open = new Map<JsonValue | undefined, OpenItem>();
  /** True if text came outside of an item: the output would lack it. */
  #isUnclear = false;
  #last?: ServerSentEvent;
  #count = 0;

  override push(event: ServerSentEvent): ServerSentEvent {
    const sent = super.push(event);
    this.#last = sent;
    this.#count++;
    const type = typeOf(sent);
    if (followed.has(type)) this.#follow(type, valueOf(sent) ?? {});
    return sent;
  }

  #follow(type: string, wire: JsonObject): void {
    const place = wire.output_index;
    const item = this.#open.get(place);
    if (type === "response.output_item.added") this.#open.set(place, new OpenItem(wire));
    else if (type === "response.output_item.done") this.#open.delete(place);
    else if (item) item.see(type, wire);
    else this.#isUnclear = true;
  }

  cut(): readonly ServerSentEvent[] | undefined {
    const { latest: head, items } = this;
    if (!head || this.answer || !this.#isSafe(items)) return undefined;
    const [open] = this.#open.values();
    const cut = open?.cut();
    const response = {
      ...head,
      status: "incomplete",
      incomplete_details: { reason: "steered" },
      output: cut ? [...items, cut.item] : items,
    };
    return this.#sent([...cut?.events ?? [], { type: "response.incomplete", response }]);
  }

  /** Returns true between items and within a message's text, unless a call waits for its output. */
  #isSafe(items: readonly JsonObject[]): boolean {
    const open = [...this.#open.values()];
    return open.length <= 1 && open.every(({ isCuttable }) => isCuttable) && !this.#isUnclear &&
      requiredInput(items).length === 0;
  }

  /** Events numbered behind those before them, and read like them. */
  #sent(events: readonly JsonObject[]): readonly ServerSentEvent[] {
    const before = { count: this.#count, ...(this.#last && { last: this.#last }) };
    const first = nextNumber(before);
    return events.map(({ type, ...members }, at) =>
      this.push(lateEvent({ type, sequence_number: first + at, ...members }))
    );
  }
}
