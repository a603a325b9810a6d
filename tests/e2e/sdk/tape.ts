import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { SseReader } from "../../../lib/http/stream/sse.ts";

/** The events of each stream that an SDK received, in order. */
export interface Tape {
  readonly fetch: typeof fetch;
  readonly streams: ServerSentEvent[][];
}

/** A `fetch` that listens to event streams as they pass. */
export function startTape(): Tape {
  const streams: ServerSentEvent[][] = [];
  return {
    streams,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const type = response.headers.get("content-type") ?? "";
      if (!response.body || !type.startsWith("text/event-stream")) return response;
      const events: ServerSentEvent[] = [];
      streams.push(events);
      return new Response(response.body.pipeThrough(listener(events)), response);
    },
  };
}

function listener(events: ServerSentEvent[]): TransformStream<Uint8Array, Uint8Array> {
  const reader = new SseReader();
  return new TransformStream({
    transform: (chunk, controller) => {
      for (const { event } of reader.push(chunk)) if (event) events.push(event);
      controller.enqueue(chunk);
    },
  });
}
