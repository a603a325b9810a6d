import {
  type CanonicalEvent,
  type CanonicalResponse,
  eventsOf,
  GatewayError,
} from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import type { EventDecoder } from "../../formats/stream.ts";
import { withParsed } from "../../json/mod.ts";
import type { StreamReply, WholeReply } from "./answer.ts";
import type { ReadLimits } from "./answer_limits.ts";
import { completionOf } from "./converting.ts";
import { parseAhead } from "./long_event.ts";
import { complete, type Source, TailedReading } from "./source.ts";
import { type SseFrame, SseReader } from "./sse.ts";
import type { Rewrite } from "./transcoder.ts";
import { restOfStream } from "./whole_event.ts";

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

/** An upstream's bytes as canonical events, rewritten if necessary. */
export class DecodedSource implements Source<CanonicalEvent> {
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
    else this.#source.cancel(complete);
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
