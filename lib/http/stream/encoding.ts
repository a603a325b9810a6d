import { concatenated } from "../../bytes.ts";
import {
  type CanonicalEvent,
  DeliveryReader,
  type EndEvent,
  type FinishReason,
  type GatewayError,
  type PartDeltaEvent,
  type UsageEvent,
} from "../../canonical/mod.ts";
import type { Codec, EncoderContext } from "../../formats/codec.ts";
import { AnswerFitter } from "../../formats/mod.ts";
import type { EventEncoder } from "../../formats/stream.ts";
import type { Framing, SentEvents, ServerSentEvent } from "../../formats/wire.ts";
import { jsonPieces, pieceEnd } from "../../json/mod.ts";
import { Pace } from "../../pace.ts";
import { encodedText } from "../body/slab.ts";
import { type Framer, framerOf } from "./framing.ts";
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

interface EncodingOptions {
  readonly context: EncoderContext;
  readonly framing: Framing;
  /** Called with every canonical event before it is encoded. */
  readonly onEvent?: (event: CanonicalEvent) => void;
  /** May replace every event that is sent. */
  readonly restate?: Restate;
}

/**
 * Encodes canonical events in the caller's format: the second half of a conversion, and all of it
 * for the built-in model.
 */
export class Encoding implements Transcoder<CanonicalEvent> {
  /** Always false: canonical events have an event of their own for the end. */
  readonly isFinished = false;
  readonly #fitter: AnswerFitter;
  readonly #encoder: EventEncoder;
  readonly #codec: Codec;
  readonly #framer: Framer;
  #started = false;
  #usage?: UsageEvent;
  #ending?: "completed" | GatewayError;
  #promptBlocked = false;
  #finishReasons: readonly FinishReason[] = [];
  readonly #sent = new SentLog();
  readonly #delivery = new DeliveryReader();
  readonly #context: EncoderContext;

  readonly #onEvent: EncodingOptions["onEvent"];
  readonly #restate?: Restate;
  /** Events after a long one, and its pieces. */
  readonly #waiting: CanonicalEvent[] = [];
  #taken = 0;
  readonly #pace = new Pace();

  constructor(codec: Codec, options: EncodingOptions) {
    this.#fitter = new AnswerFitter(codec, options.context.request);
    this.#encoder = codec.eventEncoder(options.context);
    this.#codec = codec;
    this.#framer = framerOf(options.framing);
    this.#context = options.context;
    this.#onEvent = options.onEvent;
    this.#restate = options.restate;
  }

  push(event: CanonicalEvent): Outgoing {
    return this.pushAll([event]);
  }

  /** Encodes several events as one piece, up to a long one. */
  pushAll(events: readonly CanonicalEvent[]): Outgoing {
    let before = "";
    for (let at = 0; at < events.length && !this.#ending; at++) {
      const event = events[at];
      if (this.#isLong(event)) {
        this.#wait(events.slice(at));
        break;
      }
      const text = this.#text(event);
      if (this.#ending) return { ...piece(before), terminal: this.#last(text) };
      before += text;
    }
    return piece(before);
  }

  #wait(events: readonly CanonicalEvent[]): void {
    for (const event of events) {
      for (const piece of inPieces(event)) this.#waiting.push(piece);
    }
  }

  more(): Promise<Outgoing> | undefined {
    if (this.#waiting.length === 0) return undefined;
    const event = this.#waiting[this.#taken++]; // `shift` would move all others
    if (this.#taken === this.#waiting.length || this.#ending) this.#leave();
    return this.#ending ? undefined : this.#longOutgoing(event);
  }

  #leave(): void {
    this.#waiting.length = 0;
    this.#taken = 0;
  }

  /** Returns true if an event has long text or may repeat it, or if others wait for their turn. */
  #isLong(event: CanonicalEvent): boolean {
    return this.#waiting.length > 0 ||
      (event.type === "part-delta"
        ? isLongDelta(event)
        : this.#delivery.delivered.chars > longChars);
  }

  async #longOutgoing(event: CanonicalEvent): Promise<Outgoing> {
    await this.#pace.giveWay();
    const wireEvents = this.#encoded(event);
    if (this.#ending && wireEvents.every(({ value }) => !value)) { // short: the cost is written into them
      const text = wireEvents.map((wireEvent) => this.#framer.text(wireEvent)).join("");
      return { terminal: this.#last(text) };
    }
    const pieces: Uint8Array[] = [];
    for (const wireEvent of wireEvents) await this.#write(wireEvent, pieces);
    if (this.#ending) pieces.push(this.#framer.close());
    const [first, ...rest] = pieces.filter(({ length }) => length > 0); // an empty one may end a body
    return first ? { [this.#ending ? "terminal" : "bytes"]: first, rest } : nothing;
  }

  async #write(wireEvent: ServerSentEvent, pieces: Uint8Array[]): Promise<void> {
    const { event, value } = wireEvent;
    if (!value) return void pieces.push(encodedText(this.#framer.text(wireEvent)));
    const text = this.#framer.text({ ...(event !== undefined && { event }), data: dataPlace });
    const [before, after] = text.split(dataPlace).map(encodedText);
    pieces.push(before, ...await jsonPieces(value, this.#pace), after);
  }

  /** The caller's form of one event. */
  #text(event: CanonicalEvent): string {
    let text = "";
    for (const wireEvent of this.#encoded(event)) text += this.#framer.text(wireEvent);
    return text;
  }

  #encoded(event: CanonicalEvent): readonly ServerSentEvent[] {
    this.#note(event);
    this.#onEvent?.(event);
    const wireEvents = this.#wireEvents(event);
    if (!this.#ending) { for (const wireEvent of wireEvents) this.#sent.add(wireEvent); }
    if (wireEvents.length > 0 && this.#tellsMore(event, wireEvents)) this.#delivery.sent();
    return wireEvents;
  }

  /** Returns false for an error alone: what an encoder held back or hides is not delivered with it. */
  #tellsMore(event: CanonicalEvent, wireEvents: readonly ServerSentEvent[]): boolean {
    if (event.type !== "error") return true;
    const { requestId } = this.#context;
    const error = this.#codec.encodeStreamError(event.error, requestId, this.#sent.events);
    return wireEvents.length > error.length;
  }

  #wireEvents(event: CanonicalEvent): readonly ServerSentEvent[] {
    const fitted = this.#fitter.push(event);
    const wireEvents = fitted.length === 1
      ? this.#encoder.push(fitted[0])
      : fitted.flatMap((one) => this.#encoder.push(one));
    return this.#restate ? wireEvents.map(this.#restate) : wireEvents;
  }

  #last(text: string): Uint8Array {
    return concatenated([encodedText(text), this.#framer.close()]);
  }

  end(): Outgoing {
    const isOpen = !this.#ending && this.#waiting.length === 0; // else it is called again
    return isOpen ? this.fail(truncated()) : nothing;
  }

  fail(error: GatewayError): Outgoing {
    if (this.#ending) return nothing;
    this.#leave();
    const { requestId: id, model, createdAtMs } = this.#context;
    const opening = this.#started ? nothing : this.push({ type: "start", id, model, createdAtMs });
    return joinedOutgoing(opening, this.push({ type: "error", error }));
  }

  result(): StreamResult {
    const ending = this.#ending;
    const { notes } = this.#fitter;
    return {
      outcome: ending === "completed" ? ending : ending ? outcomeOf(ending) : "truncated",
      ...(this.#usage && { usage: this.#usage.usage }),
      ...(this.#usage?.counted && { counted: true }),
      ...(this.#usage?.outputPending && { outputPending: true }),
      ...(this.#promptBlocked && { promptBlocked: true }),
      delivered: this.#delivery.delivered,
      finishReasons: () => this.#finishReasons,
      ...(notes.length > 0 && { notes }),
      ...(ending && ending !== "completed" && { error: ending }),
    };
  }

  sent(): SentEvents {
    return this.#sent.events;
  }

  #note(event: CanonicalEvent): void {
    this.#delivery.push(event);
    if (event.type === "start") this.#started = true;
    else if (event.type === "usage") this.#usage = event;
    else if (event.type === "end") this.#end(event);
    else if (event.type === "error") this.#ending = event.error;
  }

  #end({ endings }: EndEvent): void {
    this.#ending = "completed";
    this.#finishReasons = endings.map(({ finishReason }) => finishReason);
    this.#promptBlocked = endings.some(({ promptBlocked }) => promptBlocked);
  }
}

/** The place of an event's JSON, which cannot have such a character. */
const dataPlace = "\0";

function piece(text: string): Outgoing {
  return text === "" ? nothing : { bytes: encodedText(text) };
}

/** More text is written in pieces, with turns for other work. */
const longChars = 512 * 1024;
const pieceChars = 64 * 1024;

/** Returns true if text is to be written in pieces. Tokens belong to the whole text. */
function isLongDelta({ text, logprobs }: PartDeltaEvent): boolean {
  return text.length > longChars && logprobs === undefined;
}

/** A long delta as several; any other event as it is. */
function inPieces(event: CanonicalEvent): readonly CanonicalEvent[] {
  if (event.type !== "part-delta" || !isLongDelta(event)) return [event];
  const pieces: CanonicalEvent[] = [];
  for (let at = 0; at < event.text.length;) {
    const end = pieceEnd(event.text, at + pieceChars);
    pieces.push({ ...event, text: event.text.slice(at, end) });
    at = end;
  }
  return pieces;
}
