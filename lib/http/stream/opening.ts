import type { GatewayError } from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import type { ServerSentEvent } from "../../formats/wire.ts";

/** So many events without content are no opening any more. */
const eventsMax = 64;

/** What a stream says before its content: enough to tell an answer that is empty from one that is short. */
export class Opening {
  #events: ServerSentEvent[] | undefined = [];

  push(event: ServerSentEvent): void {
    if (!this.#events) return;
    this.#events.push(event);
    if (this.#events.length > eventsMax) this.#events = undefined;
  }

  /** Content follows: nothing is to be told any more. */
  close(): void {
    this.#events = undefined;
  }

  /** Why a stream that ended without content is no answer; undefined where it is one. */
  failure(codec: Codec): GatewayError | undefined {
    if (!this.#events) return undefined;
    const decoder = codec.eventDecoder();
    const events = [...this.#events.flatMap((event) => decoder.push(event)), ...decoder.end()];
    return events.find((event) => event.type === "error")?.error;
  }
}
