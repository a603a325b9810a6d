const bytesMin = 4 * 1024;
const bytesMax = 64 * 1024;

/**
 * Reads a body chunk by chunk into buffers sized by the recent chunks. The default of 64 KiB would
 * be most of the memory of an idle stream.
 */
export class ChunkReader {
  readonly #reader: ReadableStreamBYOBReader;
  #bytes = bytesMin;

  /** `body` is a response body, which is always a byte stream. */
  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader({ mode: "byob" });
  }

  /** Reads the next chunk; undefined at the end. Rejects if the body fails. */
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
