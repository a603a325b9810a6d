import { concatenated } from "../../bytes.ts";
import { GatewayError } from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import { eventWithoutPrice } from "../../formats/mod.ts";
import type { StreamUsageReader } from "../../formats/stream.ts";
import type { Framing, SentEvents, ServerSentEvent } from "../../formats/wire.ts";
import type { StreamLimits } from "./answer.ts";
import { isWholeEvent, parseAhead } from "./event_json.ts";
import { type Framer, framerOf } from "./framing.ts";
import { type SseFrame, SseReader, sseText } from "./sse.ts";
import {
  joinedOutgoing,
  nothing,
  outcomeOf,
  type Outgoing,
  type Restate,
  SentLog,
  type StreamResult,
  type Transcoder,
  truncated,
} from "./transcoder.ts";
import { UsualRuns } from "./usual_run.ts";

export interface PassThroughOptions {
  readonly requestId: string;
  readonly framing: Framing;
  readonly limits: StreamLimits;
  /** Number of requested alternatives; default: 1. */
  readonly alternatives?: number;
  /** Drops events that the caller did not request. */
  readonly hides?: (event: ServerSentEvent) => boolean;
  /** Returns true for events that are held until the answer's end, with all later ones. */
  readonly holds?: (event: ServerSentEvent) => boolean;
  /** May replace every event that is sent; unchanged events keep their bytes. */
  readonly restate?: Restate;
}

/** The same format on both sides: bytes pass unchanged, while a reader extracts usage and outcome. */
export class PassThrough implements Transcoder<Uint8Array> {
  readonly #codec: Codec;
  readonly #requestId: string;
  readonly #reader: SseReader;
  readonly #usageReader: StreamUsageReader;
  readonly #framer: Framer;
  readonly #hides: PassThroughOptions["hides"];
  readonly #holds: PassThroughOptions["holds"];
  readonly #restate?: Restate;
  /** Absent if frames do not pass as they are. */
  readonly #runs?: UsualRuns;
  readonly #opening = new Opening();
  /** True if the last event was sent as it is, after content. */
  #isUsual = false;
  #complete = false;
  #held: SseFrame[] = [];
  #heldBytes = 0;
  #failure?: GatewayError;
  readonly #sent = new SentLog();
  /** The events sent before the end. */
  #sentBeforeEnd?: SentEvents;

  constructor(
    codec: Codec,
    options: PassThroughOptions,
  ) {
    this.#codec = codec;
    this.#requestId = options.requestId;
    this.#reader = new SseReader(options.limits);
    this.#usageReader = codec.usageReader.stream(options.alternatives);
    this.#framer = framerOf(options.framing);
    this.#hides = options.hides;
    this.#holds = options.holds;
    this.#restate = options.restate;
    if (options.framing === "sse" && !options.restate) this.#runs = new UsualRuns();
  }

  ahead(chunk: Uint8Array): ReturnType<typeof parseAhead> {
    return parseAhead(this.#reader, chunk);
  }

  push(chunk: Uint8Array): Outgoing {
    this.#reader.feed(chunk);
    const out: Uint8Array[] = [];
    for (;;) {
      this.#passRun(out);
      const frame = this.#reader.next();
      if (!frame) return sentBytes(out);
      const ending = this.#forwardOne(frame, out);
      if (ending) return joinedOutgoing(sentBytes(out), ending);
    }
  }

  get isFinished(): boolean {
    return this.#usageReader.isFinished;
  }

  end(): Outgoing {
    // A torn event is dropped here: otherwise the error after it would become a part of it.
    const rest = this.#forward(this.#reader.end().filter(isWholeEvent).map(closed));
    return joinedOutgoing(rest, nothing, () => this.fail(truncated()));
  }

  fail(error: GatewayError): Outgoing {
    if (this.#complete) return this.#terminal(); // the answer itself was complete
    const { terminalEvent } = this.#codec.usageReader;
    const isComplete = this.isFinished && this.#usageReader.result().outcome === "open";
    return isComplete && terminalEvent
      ? this.#forward([frameOf(terminalEvent)])
      : this.#broken(error);
  }

  /** Without the first event: that is the upstream's, and the caller may have another. */
  sent(): SentEvents {
    const { first: _, ...sent } = this.#sentBeforeEnd ?? this.#sent.events;
    return sent;
  }

  result(): StreamResult {
    const { outcome, error, ...known } = this.#usageReader.result();
    const failure = outcome === "failed" ? error ?? brokenAnswer() : this.#failure; // the first says the most
    return {
      outcome: failure ? outcomeOf(failure) : outcome === "completed" ? "completed" : "truncated",
      ...known,
      delivered: this.#usageReader.delivered,
      finishReasons: () => this.#usageReader.finishReasons(),
      ...(failure && { error: failure }),
    };
  }

  #forward(frames: readonly SseFrame[]): Outgoing {
    const out: Uint8Array[] = [];
    for (const frame of frames) {
      const ending = this.#forwardOne(frame, out);
      if (ending) return joinedOutgoing(sentBytes(out), ending);
    }
    return sentBytes(out);
  }

  /** Passes the events that differ from the last one only in their text, and so are sent like it. */
  #passRun(out: Uint8Array[]): void {
    if (!this.#isUsual || !this.#runs) return;
    const run = this.#runs.take(this.#reader, this.#usageReader.usual);
    if (!run) return;
    this.#sent.addRun(run.last, run.count);
    out.push(run.bytes);
  }

  /** Returns the stream's end if this frame ends it. */
  #forwardOne(frame: SseFrame, out: Uint8Array[]): Outgoing | undefined {
    if (isTorn(frame)) return this.fail(tornEvent());
    const look = this.#look(frame);
    if (look === "foreign") return this.fail(splicedAnswer());
    if (look === "out") out.push(this.#pass(frame));
    this.#isUsual = look === "out" && this.#usageReader.delivered.begun;
    if (this.#isOver()) return this.#terminal();
    if (this.#heldBytes > heldBytesMax) out.push(...this.#release()); // it was not the last one
  }

  /** If only the close ends an answer, held bytes are limited, because the upstream may never close. */
  #isOver(): boolean {
    return this.#complete &&
      (this.#codec.usageReader.endsAt === "terminal-event" || this.#heldBytes > heldBytesMax);
  }

  #release(): readonly Uint8Array[] {
    const held = this.#held.map((frame) => this.#pass(frame));
    this.#held = [];
    this.#heldBytes = 0;
    return held;
  }

  /**
   * Decides whether a frame is sent, held for the answer's end, or hidden; an error is never
   * hidden, even beside hidden usage.
   */
  #look(frame: SseFrame): "out" | "held" | "hidden" | "foreign" {
    const verdict = this.#usageReader.push(frame.event);
    if (verdict === "foreign") return verdict;
    this.#opening.push(frame.event);
    if (verdict === "open" && this.#hides?.(frame.event)) return "hidden";
    this.#complete ||= verdict !== "open";
    const waits = this.#holds?.(frame.event) ?? false;
    if (verdict === "open" && this.#held.length === 0 && !waits) return "out";
    this.#held.push(frame);
    this.#heldBytes += frame.bytes.length;
    return "held";
  }

  #pass(frame: SseFrame): Uint8Array {
    this.#usageReader.sent(frame.event);
    this.#sent.add(frame.event);
    if (this.#usageReader.delivered.begun) this.#opening.close();
    const shown = eventWithoutPrice(frame.event);
    const stated = this.#restate?.(shown) ?? shown;
    return stated === frame.event ? this.#framer.pass(frame) : this.#framer.frame(stated);
  }

  #broken(error: GatewayError): Outgoing {
    this.#failure = error;
    const events = this.#codec.encodeStreamError(error, this.#requestId, this.#sent.events);
    const frames = events.map((event) => this.#framer.frame(this.#restate?.(event) ?? event));
    return { terminal: concatenated([...frames, this.#framer.close()]) };
  }

  /** The failure of a success status without content and usage. */
  #emptiness(): GatewayError | undefined {
    const { outcome, usage } = this.#usageReader.result();
    return outcome === "completed" && !usage ? this.#opening.failure(this.#codec) : undefined;
  }

  #terminal(): Outgoing {
    const empty = this.#emptiness();
    if (empty) return this.#broken(empty);
    this.#sentBeforeEnd = this.#sent.events;
    const held = this.#held.flatMap((frame) => this.#trimmed(frame)).map((one) => this.#pass(one));
    return { terminal: concatenated([...held, this.#framer.close()]) };
  }

  /** The rest of a frame after the answer's end that may still be sent. */
  #trimmed(frame: SseFrame): readonly SseFrame[] {
    const { event } = frame;
    const { trailing } = this.#usageReader;
    const rest = trailing ? trailing(event) : event;
    if (rest === event) return [frame];
    return rest ? [frameOf(rest)] : [];
  }
}

function sentBytes(out: readonly Uint8Array[]): Outgoing {
  const bytes = concatenated(out);
  return bytes.length > 0 ? { bytes } : nothing;
}

/** Maximum bytes after an answer's last content, such as sources and usage. */
const heldBytesMax = 4 * 1024 * 1024;

const blankLine = new TextEncoder().encode("\n\n");

/** An event that the upstream did not send in this form. */
function frameOf(event: ServerSentEvent): SseFrame {
  return { bytes: new TextEncoder().encode(sseText(event)), event };
}

/** Adds the blank line that the upstream left out of its last frame. */
function closed(frame: SseFrame): SseFrame {
  return { ...frame, bytes: concatenated([frame.bytes, blankLine]) };
}

/** Returns true for an unclosed JSON object: no client can read it, and an answer with a gap is invalid. */
function isTorn({ event }: SseFrame): boolean {
  const data = event.data.trim(); // spaces may precede it: another gateway's keep-alives
  return data[0] === "{" && data[data.length - 1] !== "}";
}

function tornEvent(): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    "The upstream sent an incomplete event",
  );
}

function splicedAnswer(): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    "The upstream's stream starts another response before the first one ends",
  );
}

function brokenAnswer(): GatewayError {
  return new GatewayError("upstream_error", "The upstream ended the response with an error");
}

/** Maximum events to keep: with more, the stream is not considered empty. */
const eventsMax = 64;

/** Keeps the events before a stream's content, to distinguish an empty answer from a short one. */
class Opening {
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
