import { concatenated, noBytes } from "../bytes.ts";
import type { GatewayError, Note } from "../canonical/mod.ts";
import type { Framing, SentEvents } from "../formats/wire.ts";
import type { ParsedText } from "../json/mod.ts";
import type { Answer } from "../http/stream/answer.ts";
import { encodedText } from "../http/body/slab.ts";
import type { Outgoing, StreamResult, Transcoder } from "../http/stream/transcoder.ts";

/** An answer as repetitions of its call get it: its bytes without keep-alives, and without its cost. */
export interface KeptAnswer extends AnswerFacts {
  readonly type: Answer["type"];
  /** The bytes before the last item. */
  readonly content: Uint8Array;
  /** The last item of a stream; absent if the connection broke off behind the content. */
  readonly last?: Outgoing;
  /** Of a whole answer, or of a stream without a framing. */
  readonly contentType?: string | undefined;
  readonly framing?: Framing;
  readonly outcome: StreamResult["outcome"];
  /** The notes of the answer's conversion. */
  readonly answerNotes: readonly Note[];
}

/** The facts of an answer that are known when it begins. */
export interface AnswerFacts {
  /** The notes of the request's conversion. */
  readonly notes: readonly Note[];
  /** True if the cost is written into its usage. */
  readonly statesCost: boolean;
  /** The member of a virtual model that answers; absent for other models. */
  readonly model?: string | undefined;
  /** The day on which the vendor shuts the model down; absent if none is announced. */
  readonly retires?: string | undefined;
}

/** A whole answer. */
export class RecordedWhole {
  constructor(
    readonly answer: Extract<Answer, { type: "whole" }>,
    readonly facts: AnswerFacts,
    readonly bytesMax: number,
  ) {}

  /** The answer to store; undefined if it is too long. */
  kept({ outcome, notes: answerNotes = [] }: StreamResult): KeptAnswer | undefined {
    const { content, contentType } = this.answer;
    const bytes = typeof content === "string" ? encodedText(content) : content;
    if (bytes.length > this.bytesMax) return undefined;
    return { type: "whole", content: bytes, contentType, outcome, answerNotes, ...this.facts };
  }
}

type StreamAnswer = Extract<Answer, { type: "stream" }>;

/**
 * A stream, recorded while it is sent to the first caller. Callers that join read its items from the
 * first one on; the last waits for its charge.
 */
export class RecordedStream {
  readonly #items: Outgoing[] = [];
  #bytes = 0;
  #last?: Outgoing;
  #isClosed = false;
  #failure?: GatewayError;
  #changed = Promise.withResolvers<void>();
  isTooLong = false;
  /** The result, once the stream has ended. */
  result: StreamResult = { outcome: "truncated" };

  readonly framing: StreamAnswer["framing"];

  constructor(
    { framing, first }: StreamAnswer,
    readonly facts: AnswerFacts,
    readonly bytesMax: number,
  ) {
    this.framing = framing;
    for (const item of first) this.record(item);
  }

  /** Records an item that is sent, and returns it. */
  record(item: Outgoing): Outgoing {
    if (this.isTooLong) return item;
    const copy = copyOf(item);
    this.#bytes += sizeOf(copy);
    if (this.#bytes > this.bytesMax) this.#drop();
    else if (item.terminal || item.broken) this.#last = copy;
    else if (sizeOf(copy) > 0) this.#items.push(copy);
    this.#wake();
    return item;
  }

  /** The answer to store, at its end; undefined if it is too long. */
  kept(result: StreamResult): KeptAnswer | undefined {
    this.result = result;
    if (this.isTooLong) return undefined;
    const { framing } = this;
    const last = this.#last?.broken ? undefined : this.#last;
    const sent = this.#items.flatMap(({ bytes = noBytes, rest = [] }) => [bytes, ...rest]);
    return {
      type: "stream",
      content: concatenated(sent),
      ...(last && { last }),
      ...(typeof framing === "string" ? { framing } : { contentType: framing.contentType }),
      outcome: result.outcome,
      answerNotes: result.notes ?? [],
      ...this.facts,
    };
  }

  /** Releases the last item, once the call is charged. */
  close(): void {
    if (this.#isClosed) return;
    if (this.#last) this.#items.push(this.#last);
    this.#isClosed = true;
    this.#wake();
  }

  fail(error: GatewayError): void {
    this.#failure ??= error;
    this.#wake();
  }

  /** The item at a place, once it is there; undefined at the end. Throws the failure of the stream. */
  async item(at: number, tooLong: () => GatewayError): Promise<Outgoing | undefined> {
    for (;;) {
      if (this.isTooLong) throw tooLong();
      if (at < this.#items.length) return this.#items[at];
      if (this.#failure) throw this.#failure;
      if (this.#isClosed) return undefined;
      await this.#changed.promise;
    }
  }

  #drop(): void {
    this.isTooLong = true;
    this.#items.length = 0;
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

function copyOf({ bytes, terminal, rest, broken }: Outgoing): Outgoing {
  return {
    ...(bytes && { bytes: bytes.slice() }),
    ...(terminal && { terminal: terminal.slice() }),
    ...(rest && { rest: rest.map((piece) => piece.slice()) }),
    ...(broken && { broken }),
  };
}

function sizeOf({ bytes = noBytes, terminal = noBytes, rest = [] }: Outgoing): number {
  return rest.reduce((sum, { length }) => sum + length, bytes.length + terminal.length);
}

/** Passes everything on, and records what is sent. */
export class RecordingTranscoder<T> implements Transcoder<T> {
  constructor(readonly inner: Transcoder<T>, readonly recorded: RecordedStream) {}

  ahead(item: T): Promise<ParsedText | undefined> | undefined {
    return this.inner.ahead?.(item);
  }

  push(item: T): Outgoing {
    return this.recorded.record(this.inner.push(item));
  }

  more(): Promise<Outgoing> | undefined {
    return this.inner.more?.()?.then((item) => this.recorded.record(item));
  }

  get isFinished(): boolean {
    return this.inner.isFinished;
  }

  end(): Outgoing {
    return this.recorded.record(this.inner.end());
  }

  fail(error: GatewayError): Outgoing {
    return this.recorded.record(this.inner.fail(error));
  }

  result(): StreamResult {
    return this.inner.result();
  }

  sent(): SentEvents {
    return this.inner.sent?.() ?? { count: 0 };
  }
}
