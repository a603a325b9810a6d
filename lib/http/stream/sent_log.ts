import type { SentEvents, ServerSentEvent } from "../../formats/wire.ts";

/** The events of one stream that the caller has been sent, as far as an error behind them needs to know. */
export class SentLog {
  #first?: ServerSentEvent;
  #last?: ServerSentEvent;
  #count = 0;

  add(event: ServerSentEvent): void {
    this.#first ??= event;
    this.#last = event;
    this.#count++;
  }

  get events(): SentEvents {
    const [first, last] = [this.#first, this.#last];
    return { count: this.#count, ...(first && { first }), ...(last && { last }) };
  }
}
