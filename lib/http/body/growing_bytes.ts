const bytesMin = 64 * 1024;

/**
 * Joins bytes that arrive in chunks. A single chunk is kept as it is; of several, each is copied
 * once if the total is known. Otherwise a full buffer grows to four times its length, so that no copy
 * holds up other work: filling new memory takes about a millisecond per megabyte.
 */
export class GrowingBytes {
  #buffer: Uint8Array = new Uint8Array(0);
  #length = 0;
  readonly #expected: number;

  /** `expected` is the likely total. Memory that is never written to costs nothing. */
  constructor(expected = bytesMin) {
    this.#expected = expected;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a chunk, which must not change from then on. */
  push(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) this.#buffer = chunk;
    else {
      if (length > this.#buffer.length) this.#grow(length);
      this.#buffer.set(chunk, this.#length);
    }
    this.#length = length;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(least: number): void {
    const buffer = new Uint8Array(Math.max(least, this.#expected, this.#buffer.length * 4));
    buffer.set(this.bytes());
    this.#buffer = buffer;
  }
}
