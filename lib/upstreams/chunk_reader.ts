const bytesMin = 4 * 1024;
const bytesMax = 64 * 1024;

/**
 * Reads a body as it comes. What waits for the next chunk is a buffer as large as chunks have lately
 * been: a stream's own choice of 64 KiB is what most of its memory would be while nothing comes.
 */
export class ChunkReader {
  readonly #reader: ReadableStreamBYOBReader;
  #bytes = bytesMin;

  /** A body of a response, whose streams are all of bytes. */
  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader({ mode: "byob" });
  }

  /** The next chunk, undefined at the end. Rejects as the body does. */
  async read(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#reader.read(new Uint8Array(this.#bytes));
    if (done || !value) return undefined;
    this.#bytes = value.length === this.#bytes
      ? Math.min(this.#bytes * 4, bytesMax)
      : Math.max(this.#bytes / 2, bytesMin);
    return value;
  }

  cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }
}
