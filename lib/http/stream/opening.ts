import type { GatewayError } from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import type { ServerSentEvent } from "../../formats/wire.ts";

/** Maximum events to keep: with more, the stream is not considered empty. */
const eventsMax = 64;

/** Keeps the events before a stream's content, to distinguish an empty answer from a short one. */
export class Opening {
  #events: ServerSentEvent[] | undefined = [];

  push(event: ServerSentEvent): void {
    if (!this.#events) return;
    this.#events.push(event);
    if (this.#events.length > eventsMax) this.#events = undefined;
  }

  /** Forgets the events: content follows. */
  close(): void {
    this.#events = undefined;
  }

  /** The failure of a stream that ended without content; undefined if it is a valid answer. */
  failure(codec: Codec): GatewayError | undefined {
    if (!this.#events) return undefined;
    const decoder = codec.eventDecoder();
    const events = [...this.#events.flatMap((event) => decoder.push(event)), ...decoder.end()];
    return events.find((event) => event.type === "error")?.error;
  }
}
