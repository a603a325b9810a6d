import type { SentEvents, ServerSentEvent } from "../../formats/wire.ts";

/** The events that one stream has sent, as far as an error after them needs to know. */
export class SentLog {
  #first?: ServerSentEvent;
  #last?: ServerSentEvent;
  /** Reads the last event of a run, if that came last. */
  #lastOfRun?: () => ServerSentEvent;
  #count = 0;

  add(event: ServerSentEvent): void {
    this.#first ??= event;
    this.#last = event;
    this.#lastOfRun = undefined;
    this.#count++;
  }

  /** Notes a run of events after the first one. `last` reads its last event, which only errors need. */
  addRun(last: () => ServerSentEvent, count: number): void {
    this.#lastOfRun = last;
    this.#count += count;
  }

  get events(): SentEvents {
    const first = this.#first;
    const last = this.#lastOfRun?.() ?? this.#last;
    return { count: this.#count, ...(first && { first }), ...(last && { last }) };
  }
}
