import type { CanonicalEvent, GatewayError } from "../../canonical/mod.ts";
import type { EventDecoder } from "../../formats/stream.ts";
import type { SentEvents, ServerSentEvent } from "../../formats/wire.ts";
import type { StreamLimits } from "./answer_limits.ts";
import type { Encoding } from "./encoding.ts";
import { parseAhead } from "./long_event.ts";
import { SseReader } from "./sse.ts";
import {
  joinedOutgoing,
  type Outgoing,
  type Rewrite,
  type StreamResult,
  type Transcoder,
} from "./transcoder.ts";
import { restOfStream } from "./whole_event.ts";

interface ConvertingOptions {
  readonly limits: StreamLimits;
  readonly rewrite?: Rewrite;
}

/** Converts one format to another: the upstream's bytes to canonical events to the caller's bytes. */
export class Converting implements Transcoder<Uint8Array> {
  readonly #reader: SseReader;
  readonly #decoder: EventDecoder;
  readonly #encoding: Encoding;
  readonly #rewrite?: Rewrite;

  constructor(decoder: EventDecoder, encoding: Encoding, options: ConvertingOptions) {
    this.#decoder = decoder;
    this.#encoding = encoding;
    this.#reader = new SseReader(options.limits);
    this.#rewrite = options.rewrite;
  }

  get isFinished(): boolean {
    return this.#decoder.isFinished;
  }

  ahead(chunk: Uint8Array): ReturnType<typeof parseAhead> {
    return parseAhead(this.#reader, chunk);
  }

  push(chunk: Uint8Array): Outgoing {
    this.#reader.feed(chunk);
    const events: CanonicalEvent[] = [];
    for (let wire: ServerSentEvent | undefined; (wire = this.#reader.nextEvent());) {
      for (const event of this.#decoder.push(wire)) events.push(event);
    }
    return this.#encode(events);
  }

  end(): Outgoing {
    const frames = restOfStream(this.#reader.end(), this.isFinished);
    const rest = this.#encode(frames.flatMap(({ event }) => this.#decoder.push(event)));
    if (rest.terminal) return rest;
    return joinedOutgoing(rest, this.#encode(this.#decoder.end()), () => this.#encoding.end());
  }

  fail(error: GatewayError): Outgoing {
    const rest = completionOf(this.#decoder);
    return rest ? this.#encode(rest) : this.#encoding.fail(error);
  }

  result(): StreamResult {
    return this.#encoding.result();
  }

  sent(): SentEvents {
    return this.#encoding.sent();
  }

  #encode(events: readonly CanonicalEvent[]): Outgoing {
    return this.#encoding.pushAll(this.#rewrite ? events.flatMap(this.#rewrite) : events);
  }
}

/**
 * The remaining events of an answer that was complete when its upstream failed, in a format whose
 * answers end with the close; undefined if the answer was incomplete.
 */
export function completionOf(decoder: EventDecoder): readonly CanonicalEvent[] | undefined {
  const rest = decoder.end();
  return rest.at(-1)?.type === "end" ? rest : undefined;
}
