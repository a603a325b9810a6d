import type { GatewayError } from "../../canonical/mod.ts";
import type { AnswerReader } from "../../formats/state_codec.ts";
import type { SentEvents } from "../../formats/wire.ts";
import type { ParsedText } from "../../json/mod.ts";
import { encodedText } from "../body/slab.ts";
import type { Steering } from "../steering.ts";
import type { Answer, StreamAnswer } from "./answer.ts";
import type { Source } from "./source.ts";
import { sseText } from "./sse.ts";
import type { Outgoing, StreamResult, Transcoder } from "./transcoder.ts";

/** The answer, which ends at a safe place once its caller steers it. */
export async function steerable(
  starting: Answer | Promise<Answer>,
  steering: Steering,
  reader: AnswerReader,
): Promise<Answer> {
  const answer = await starting;
  if (answer.type === "whole") return answer;
  return answer.kind === "bytes"
    ? steered(answer, steering, reader)
    : steered(answer, steering, reader);
}

function steered<Kind, T>(
  answer: StreamAnswer<Kind, T>,
  steering: Steering,
  reader: AnswerReader,
): StreamAnswer<Kind, T> {
  const both = new Steered(answer, steering, reader);
  return { ...answer, source: both, transcoder: both };
}

/** The source and the transcoder of an answer, which the gateway may end before its upstream does. */
class Steered<T> implements Source<T>, Transcoder<T> {
  readonly #source: Source<T>;
  readonly #transcoder: Transcoder<T>;
  readonly #steering: Steering;
  readonly #reader: AnswerReader;
  /** The end of a cut answer. */
  #end?: Outgoing;

  constructor(
    { source, transcoder }: StreamAnswer<unknown, T>,
    steering: Steering,
    reader: AnswerReader,
  ) {
    this.#source = source;
    this.#transcoder = transcoder;
    this.#steering = steering;
    this.#reader = reader;
  }

  get isFinished(): boolean {
    return this.#transcoder.isFinished;
  }

  /** The next item; undefined once the answer is to be cut, although the upstream is silent. */
  async read(): Promise<T | undefined> {
    if (this.#cut()) return undefined;
    const { promise: end, resolve } = Promise.withResolvers<undefined>();
    this.#steering.onRequest(() => this.#cut() && resolve(undefined));
    try {
      return await Promise.race([this.#source.read(), end]);
    } finally {
      this.#steering.onRequest(() => {});
    }
  }

  /** Returns true if the answer is cut, now or before. */
  #cut(): boolean {
    if (this.#steering.isRequested && !this.isFinished && !this.#end) {
      const events = this.#reader.cut?.();
      this.#end = events && { terminal: encodedText(events.map(sseText).join("")) };
    }
    return this.#end !== undefined;
  }

  cancel(reason: GatewayError): void {
    this.#source.cancel(reason);
  }

  release(): void {
    this.#source.release();
  }

  ahead(item: T): Promise<ParsedText | undefined> | undefined {
    return this.#transcoder.ahead?.(item);
  }

  push(item: T): Outgoing {
    return this.#end ?? this.#transcoder.push(item);
  }

  more(): Promise<Outgoing> | undefined {
    return this.#transcoder.more?.();
  }

  end(): Outgoing {
    return this.#end ?? this.#transcoder.end();
  }

  fail(error: GatewayError): Outgoing {
    return this.#end ?? this.#transcoder.fail(error);
  }

  /** A cut answer is as complete as its caller wants it. */
  result(): StreamResult {
    const result = this.#transcoder.result();
    return this.#end ? { ...result, outcome: "completed", isSteered: true } : result;
  }

  sent(): SentEvents {
    return this.#transcoder.sent?.() ?? { count: 0 };
  }
}
