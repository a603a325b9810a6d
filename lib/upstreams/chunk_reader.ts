import { copiedBytes } from "../http/body/slab.ts";

const bytesMin = 4 * 1024;
const bytesMax = 64 * 1024;
/** Maximum bytes of a chunk that is copied: a new buffer costs more than a copy of this length. */
const copiedMax = 1024;

/**
 * Reads a body chunk by chunk into buffers sized by the recent chunks. The default of 64 KiB would
 * be most of the memory of an idle stream. A small chunk, such as one event, is copied, and the next
 * read uses its buffer again.
 */
export class ChunkReader {
  readonly #reader: ReadableStreamBYOBReader;
  #bytes = bytesMin;
  /** The buffer of a chunk that was copied. */
  #spare?: Uint8Array<ArrayBuffer>;

  /** `body` is a response body, which is always a byte stream. */
  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader({ mode: "byob" });
  }

  /** Reads the next chunk; undefined at the end. Rejects if the body fails. */
  async read(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#reader.read(this.#spare ?? new Uint8Array(this.#bytes));
    this.#spare = undefined;
    if (done || !value) return undefined;
    const filled = this.#bytes;
    this.#bytes = value.length === filled ? bytesMax : Math.max(filled / 4, bytesMin);
    if (this.#bytes !== filled || value.length > copiedMax) return value;
    this.#spare = new Uint8Array(value.buffer);
    return copiedBytes(value);
  }

  cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }
}
