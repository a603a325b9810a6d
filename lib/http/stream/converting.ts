import {
  type CanonicalEvent,
  type CanonicalResponse,
  eventsOf,
  GatewayError,
} from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import type { EventDecoder } from "../../formats/stream.ts";
import type { SentEvents, ServerSentEvent } from "../../formats/wire.ts";
import { withParsed } from "../../json/mod.ts";
import type { ReadLimits, Reply, StreamLimits, StreamReply, WholeReply } from "./answer.ts";
import type { Encoding } from "./encoding.ts";
import { parseAhead, restOfStream } from "./event_json.ts";
import { answerComplete, type Source, sourceOf, TailedReading } from "./source.ts";
import { type SseFrame, SseReader } from "./sse.ts";
import {
  joinedOutgoing,
  type Outgoing,
  type Rewrite,
  type StreamResult,
  type Transcoder,
} from "./transcoder.ts";

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

  more(): Promise<Outgoing> | undefined {
    return this.#encoding.more();
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
function completionOf(decoder: EventDecoder): readonly CanonicalEvent[] | undefined {
  const rest = decoder.end();
  return rest.at(-1)?.type === "end" ? rest : undefined;
}

/** A whole answer as events, rewritten if necessary; its usage stays the upstream's. */
export function wholeEvents({ codec, body, rewrite }: WholeReply): CanonicalEvent[] {
  const response = decodedWhole(codec, body);
  const events = eventsOf(response);
  if (!rewrite) return events;
  const stated = response.usage;
  return events.flatMap(rewrite).map((event) =>
    event.type === "usage" && stated ? { type: "usage", usage: stated } : event
  );
}

/** Any reply as canonical events. */
export function eventSource(reply: Reply, limits: ReadLimits): Source<CanonicalEvent> {
  switch (reply.type) {
    case "events":
      return reply.source;
    case "whole":
      return sourceOf(wholeEvents(reply));
    case "stream":
      return new DecodedSource(reply, limits);
    default:
      return reply satisfies never;
  }
}

/** An upstream's bytes as canonical events, rewritten if necessary. */
class DecodedSource implements Source<CanonicalEvent> {
  readonly #source: Source<Uint8Array>;
  readonly #reader: SseReader;
  readonly #decoder: EventDecoder;
  readonly #rewrite: Rewrite;
  readonly #reading: TailedReading;
  readonly #waiting: CanonicalEvent[] = [];
  #open = true;

  constructor(
    { source, codec, rewrite = (event) => [event] }: StreamReply,
    { answerTailMs, ...limits }: ReadLimits,
  ) {
    this.#source = source;
    this.#reader = new SseReader(limits);
    this.#decoder = codec.eventDecoder();
    this.#rewrite = rewrite;
    this.#reading = new TailedReading(answerTailMs);
  }

  cancel(reason: GatewayError): void {
    this.#source.cancel(reason);
  }

  /** The gateway may end an answer before its upstream does, at a stop sequence. */
  release(): void {
    if (this.#decoder.isFinished) this.#source.release();
    else this.#source.cancel(answerComplete);
  }

  async read(): Promise<CanonicalEvent | undefined> {
    while (this.#waiting.length === 0 && this.#open) {
      this.#waiting.push(...(await this.#next()).flatMap(this.#rewrite));
    }
    return this.#waiting.shift();
  }

  async #next(): Promise<readonly CanonicalEvent[]> {
    const decoder = this.#decoder;
    try {
      const chunk = await this.#reading.next(this.#source, decoder.isFinished);
      if (chunk) return await this.#decodeChunk(chunk);
    } catch (failure) {
      this.#open = false;
      const rest = completionOf(decoder);
      if (rest) return rest;
      throw failure;
    }
    this.#open = false;
    const rest = restOfStream(this.#reader.end(), decoder.isFinished);
    return [...this.#decode(rest), ...decoder.end()];
  }

  async #decodeChunk(chunk: Uint8Array): Promise<readonly CanonicalEvent[]> {
    const parsed = await parseAhead(this.#reader, chunk);
    const decode = () => this.#decode(this.#reader.push(chunk));
    return parsed ? withParsed(parsed, decode) : decode();
  }

  #decode(frames: readonly SseFrame[]): CanonicalEvent[] {
    return frames.flatMap(({ event }) => this.#decoder.push(event));
  }
}

/** A whole answer in canonical form. Throws `upstream_invalid_response` if it has no alternative. */
export function decodedWhole(codec: Codec, body: unknown): CanonicalResponse {
  const response = codec.decodeResponse(body);
  if (response.alternatives.length > 0) return response;
  throw new GatewayError("upstream_invalid_response", "The upstream's response has no choices");
}
