import {
  type CanonicalEvent,
  DeliveryReader,
  type EndEvent,
  type FinishReason,
  type GatewayError,
  type UsageEvent,
} from "../../canonical/mod.ts";
import type { Codec, EncoderContext } from "../../formats/codec.ts";
import { AnswerFitter } from "../../formats/mod.ts";
import type { EventEncoder } from "../../formats/stream.ts";
import type { Framing, SentEvents, ServerSentEvent } from "../../formats/wire.ts";
import { concatenated } from "../body/bytes.ts";
import { encodedText } from "../body/slab.ts";
import { type Framer, framerOf } from "./framer.ts";
import { SentLog } from "./sent_log.ts";
import {
  joinedOutgoing,
  nothing,
  outcomeOf,
  type Outgoing,
  type Restate,
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
 * for the embedded model.
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

  readonly #onEvent: (event: CanonicalEvent) => void;
  readonly #restate?: Restate;

  constructor(codec: Codec, options: EncodingOptions) {
    this.#fitter = new AnswerFitter(codec, options.context.request);
    this.#encoder = codec.eventEncoder(options.context);
    this.#codec = codec;
    this.#framer = framerOf(options.framing);
    this.#context = options.context;
    this.#onEvent = options.onEvent ?? (() => {});
    this.#restate = options.restate;
  }

  push(event: CanonicalEvent): Outgoing {
    return this.pushAll([event]);
  }

  /** Encodes several events as one piece. */
  pushAll(events: readonly CanonicalEvent[]): Outgoing {
    let before = "";
    for (const event of events) {
      if (this.#ending) break;
      const text = this.#text(event);
      if (this.#ending) return { ...piece(before), terminal: this.#last(text) };
      before += text;
    }
    return piece(before);
  }

  /** The caller's form of one event. */
  #text(event: CanonicalEvent): string {
    this.#note(event);
    this.#onEvent(event);
    const wireEvents = this.#wireEvents(event);
    let text = "";
    for (const wireEvent of wireEvents) {
      text += this.#framer.text(wireEvent);
      if (!this.#ending) this.#sent.add(wireEvent);
    }
    if (text !== "" && this.#tellsMore(event, wireEvents)) this.#delivery.sent();
    return text;
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
    return this.#ending ? nothing : this.fail(truncated());
  }

  fail(error: GatewayError): Outgoing {
    if (this.#ending) return nothing;
    const opening = this.#started ? nothing : this.push(startOf(this.#context));
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

function piece(text: string): Outgoing {
  return text === "" ? nothing : { bytes: encodedText(text) };
}

function startOf({ requestId, model, createdAtMs }: EncoderContext): CanonicalEvent {
  return { type: "start", id: requestId, model, createdAtMs };
}
