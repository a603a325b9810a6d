import { readToEnd } from "../read_to_end.ts";
import type { UpstreamAnswer } from "../transport.ts";
import type { HttpExchange } from "./exchange.ts";

/** The codings that `fetch` decodes; others are passed through, like there. */
const formatOf: Readonly<Record<string, CompressionFormat | "brotli">> = {
  gzip: "gzip",
  br: "brotli",
};

/** Decodes an answer that an upstream compressed although that was not requested. */
export function decoded(answer: HttpExchange): UpstreamAnswer {
  const coding = answer.headers.get("content-encoding");
  if (coding === null) return answer;
  const format = formatOf[coding];
  if (format === undefined) return answer;
  answer.headers.delete("content-encoding");
  answer.headers.delete("content-length");
  return new DecodedAnswer(answer, format);
}

class DecodedAnswer implements UpstreamAnswer {
  readonly #answer: HttpExchange;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(answer: HttpExchange, format: CompressionFormat | "brotli") {
    this.#answer = answer;
    // the type of the option lacks the runtime's name for br
    const decoder = new DecompressionStream(format as CompressionFormat);
    const raw = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: async (controller) => {
        const chunk = await answer.read();
        if (chunk) controller.enqueue(Uint8Array.from(chunk));
        else controller.close();
      },
    }, { highWaterMark: 0 });
    this.#reader = raw.pipeThrough(decoder).getReader();
  }

  get status(): number {
    return this.#answer.status;
  }

  get headers(): UpstreamAnswer["headers"] {
    return this.#answer.headers;
  }

  async read(): Promise<Uint8Array | undefined> {
    try {
      return (await this.#reader.read()).value;
    } catch (error) {
      this.#answer.cancel();
      throw error;
    }
  }

  readRest(): Promise<Uint8Array> {
    return readToEnd(this);
  }

  cancel(): void {
    this.#answer.cancel();
    this.#reader.cancel().catch(() => {});
  }
}
