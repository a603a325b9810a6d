import type { SentEvents, ServerSentEvent } from "../../formats/wire.ts";

/** The events that one stream has sent, as far as an error after them needs to know. */
export class SentLog {
  #first?: ServerSentEvent;
  #last?: ServerSentEvent;
  #count = 0;

  add(event: ServerSentEvent): void {
    this.#first ??= event;
    this.addRun(event, 1);
  }

  /** Notes a run of events after the first one, by its last. */
  addRun(last: ServerSentEvent, count: number): void {
    this.#last = last;
    this.#count += count;
  }

  get events(): SentEvents {
    const [first, last] = [this.#first, this.#last];
    return { count: this.#count, ...(first && { first }), ...(last && { last }) };
  }
}
