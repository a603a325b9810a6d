import { concatenated, noBytes } from "../../bytes.ts";
import {
  Delivered,
  GatewayError,
  isJsonObject,
  type JsonObject,
  type Usage,
} from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import { withoutPrice } from "../../formats/mod.ts";
import type { RelayedEndpoint } from "../../formats/relayed/mod.ts";
import type { StreamUsageReader } from "../../formats/stream.ts";
import type { ServerSentEvent } from "../../formats/wire.ts";
import { parsedSimple } from "../../json/mod.ts";
import { encodedText } from "../body/slab.ts";
import type { StreamLimits } from "./answer.ts";
import { parseAhead } from "./event_json.ts";
import { type SseFrame, SseReader, sseText } from "./sse.ts";
import {
  outcomeOf,
  type Outgoing,
  type StreamResult,
  type Transcoder,
  truncated,
} from "./transcoder.ts";

interface RelayedStreamOptions {
  readonly endpoint: RelayedEndpoint;
  readonly codec: Codec;
  readonly requestId: string;
  readonly limits: StreamLimits;
  /** Drops events that the caller did not request. */
  readonly hides?: (event: ServerSentEvent) => boolean;
}

/** Events of a relayed endpoint: bytes pass unchanged but for a stated price, while usage, text and the end are read. */
export class RelayedStream implements Transcoder<Uint8Array> {
  readonly #options: RelayedStreamOptions;
  readonly #reader: SseReader;
  readonly #usageReader: StreamUsageReader;
  readonly #delivered = new Delivered();
  #usage?: Usage;
  #complete = false;
  /** The last event of an answer, held until its usage is durable. */
  #held?: Uint8Array;
  #failure?: GatewayError;

  constructor(options: RelayedStreamOptions) {
    this.#options = options;
    this.#reader = new SseReader(options.limits);
    this.#usageReader = options.codec.usageReader.stream();
  }

  get isFinished(): boolean {
    return this.#complete;
  }

  ahead(chunk: Uint8Array): ReturnType<typeof parseAhead> {
    return parseAhead(this.#reader, chunk);
  }

  push(chunk: Uint8Array): Outgoing {
    const out: Uint8Array[] = [];
    for (const frame of this.#reader.push(chunk)) {
      out.push(...this.#take(frame));
      if (this.#usageReader.result().outcome === "open") continue;
      return { bytes: concatenated(out), terminal: this.#takeHeld() };
    }
    return out.some(({ length }) => length > 0) ? { bytes: concatenated(out) } : {};
  }

  end(): Outgoing {
    return this.#complete ? { terminal: this.#takeHeld() } : this.fail(truncated());
  }

  fail(error: GatewayError): Outgoing {
    if (this.#complete) return { terminal: this.#takeHeld() };
    this.#failure = error;
    const { codec, requestId } = this.#options;
    const text = codec.encodeStreamError(error, requestId).map(sseText).join("");
    return { terminal: new TextEncoder().encode(text) };
  }

  result(): StreamResult {
    const { error } = this.#usageReader.result();
    const failure = error ?? this.#failure;
    return {
      outcome: failure ? outcomeOf(failure) : this.#complete ? "completed" : "truncated",
      ...(this.#usage
        ? { usage: this.#usage, said: () => this.#delivered }
        : { delivered: this.#delivered }),
      ...(failure && { error: failure }),
    };
  }

  /** Returns the bytes to send for a frame: first the held frame, then this one. A frame that may be the last is held. */
  #take({ event, bytes }: SseFrame): readonly Uint8Array[] {
    const isEnd = this.#look(event);
    if (this.#options.hides?.(event)) return [];
    const before = this.#takeHeld();
    const shown = unpriced(event, bytes);
    if (!isEnd) return [before, shown];
    this.#held = shown;
    return [before];
  }

  /** Returns true if an event may be an answer's last. */
  #look(event: ServerSentEvent): boolean {
    const { endpoint, codec } = this.#options;
    const verdict = this.#usageReader.push(event);
    const { outcome } = this.#usageReader.result();
    if (verdict === "terminal") this.#complete ||= outcome === "completed";
    const body = objectIn(event.data);
    if (!body || outcome === "failed") return verdict === "terminal";
    this.#usage = (endpoint.usage ?? codec.usageReader.usage)(body) ?? this.#usage;
    this.#deliver(endpoint.words?.(body));
    const ends = endpoint.ends?.includes(String(body.type ?? event.event)) ?? false;
    this.#complete ||= ends;
    return ends || verdict === "terminal";
  }

  #deliver(words: string | undefined): void {
    if (words === undefined) this.#delivered.addMedium();
    else this.#delivered.answer.add(words);
  }

  #takeHeld(): Uint8Array {
    const held = this.#held ?? noBytes;
    this.#held = undefined;
    return held;
  }
}

/** The bytes of an event without a price that its upstream states. */
function unpriced(event: ServerSentEvent, bytes: Uint8Array): Uint8Array {
  const data = withoutPrice(event.data);
  return data === event.data ? bytes : encodedText(sseText({ ...event, data }));
}

/** An event's JSON object; undefined for other data, such as `[DONE]`. */
function objectIn(data: string): JsonObject | undefined {
  try {
    const value: unknown = parsedSimple(data);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Opaque bytes, such as speech. Only their close marks them as complete, and no error can be
 * written into them.
 */
export class BinaryStream implements Transcoder<Uint8Array> {
  /** Always false, because only the end of the stream marks completion. */
  readonly isFinished = false;
  readonly #delivered = new Delivered();
  #complete = false;
  #failure?: GatewayError;

  push(bytes: Uint8Array): Outgoing {
    if (bytes.length > 0) this.#delivered.addMedium();
    return bytes.length > 0 ? { bytes } : {};
  }

  end(): Outgoing {
    if (!this.#delivered.begun) return this.fail(empty());
    this.#complete = true;
    return { terminal: noBytes };
  }

  fail(error: GatewayError): Outgoing {
    this.#failure = error;
    return { broken: error };
  }

  result(): StreamResult {
    const failure = this.#failure;
    return {
      outcome: failure ? outcomeOf(failure) : this.#complete ? "completed" : "truncated",
      delivered: this.#delivered,
      ...(failure && { error: failure }),
    };
  }
}

function empty(): GatewayError {
  return new GatewayError("upstream_invalid_response", "The upstream's response is empty");
}
