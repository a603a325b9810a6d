import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { serveLoopback } from "../fake_upstream.ts";
import { wireOf } from "./fault_upstream.ts";
import { type ProperAnswer, properAnswer } from "./proper_answer.ts";

export interface SlowUpstream extends AsyncDisposable {
  base(format: FormatName): string;
  /** The number of open streams. */
  open(): number;
  /** Lets all streams end, including later ones. */
  finish(): void;
  /** Lets this many of the open streams end. */
  finishSome(count: number): void;
  /** New streams last until the next `finish`. */
  again(): void;
}

/** Streams that send a word every `everyMs`, each at its own moment, until `finish`. */
export function startSlowUpstream(everyMs: number): SlowUpstream {
  const streams = new Set<SlowStream>();
  let finished = false;
  const server = serveLoopback(async (request) => {
    const { format, path } = placeOf(request.url);
    const answer = properAnswer(codecs[format], wireOf(path, await request.text()));
    const stream = new SlowStream(answer, everyMs, () => streams.delete(stream));
    streams.add(stream);
    if (finished) stream.finish();
    return new Response(stream.body, { headers: { "content-type": "text/event-stream" } });
  });
  return {
    base: (format) => `${server.base}/${format}/slow`,
    open: () => streams.size,
    again: () => void (finished = false),
    finish: () => {
      finished = true;
      for (const stream of streams) stream.finish();
    },
    finishSome: (count) => {
      for (const stream of [...streams].slice(0, count)) stream.finish();
    },
    [Symbol.asyncDispose]: async () => {
      for (const stream of streams) stream.finish();
      await server[Symbol.asyncDispose]();
    },
  };
}

function placeOf(url: string): { readonly format: FormatName; readonly path: string } {
  const { pathname, search } = new URL(url);
  const format = formatNames.find((name) => pathname.startsWith(`/${name}/`));
  if (!format) throw new Error(`The path ${pathname} names no format`);
  return { format, path: pathname.slice(`/${format}/slow`.length) + search };
}

const encoder = new TextEncoder();

class SlowStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #answer: ProperAnswer;
  readonly #onEnd: () => void;
  #controller?: ReadableStreamDefaultController<Uint8Array>;
  #timer?: ReturnType<typeof setTimeout>;

  constructor(answer: ProperAnswer, everyMs: number, onEnd: () => void) {
    this.#answer = answer;
    this.#onEnd = onEnd;
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
        this.#say(answer.opening + answer.deltas[0] + answer.deltas[1]);
        this.#timer = setTimeout(() => this.#go(everyMs), Math.random() * everyMs);
      },
      cancel: () => this.#end(),
    });
  }

  finish(): void {
    this.#say(this.#answer.rest());
    this.#controller?.close();
    this.#end();
  }

  #go(everyMs: number): void {
    this.#timer = setInterval(() => this.#say(this.#answer.more()), everyMs);
  }

  #say(text: string): void {
    this.#controller?.enqueue(encoder.encode(text));
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#onEnd();
  }
}
