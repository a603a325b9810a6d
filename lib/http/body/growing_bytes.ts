const bytesMin = 64 * 1024;

/** Joins bytes that arrive in chunks: each is copied once if the total is known, at most twice otherwise. */
export class GrowingBytes {
  #buffer: Uint8Array;
  #length = 0;

  /** `expected` is the likely total. Memory that is never written to costs nothing. */
  constructor(expected = bytesMin) {
    this.#buffer = new Uint8Array(Math.max(expected, 1));
  }

  get length(): number {
    return this.#length;
  }

  push(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) this.#grow(length);
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(least: number): void {
    const buffer = new Uint8Array(Math.max(least, this.#buffer.length * 2));
    buffer.set(this.bytes());
    this.#buffer = buffer;
  }
}
