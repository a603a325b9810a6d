const bytesMin = 64 * 1024;

/** Bytes that come in chunks, in one piece: each is copied once where their number is known, twice at most where not. */
export class GrowingBytes {
  #buffer: Uint8Array;
  #length = 0;

  /** `expected` is how many there may be. Memory that nothing is written to is not taken. */
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
