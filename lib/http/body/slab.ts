const slabBytes = 8 * 1024;
/** Longer pieces get a buffer of their own, so that a slab has room for several. */
const pieceMax = 2 * 1024;
/** Maximum UTF-8 bytes of a UTF-16 unit. */
const unitBytesMax = 3;

const encoder = new TextEncoder();

/**
 * Allocates small byte arrays within larger buffers: a buffer of its own costs several times as much
 * as the copy of one event. A piece is never written again, and retains at most its slab.
 */
class Slab {
  #bytes = new Uint8Array(slabBytes);
  #at = 0;

  copy(bytes: Uint8Array): Uint8Array {
    if (bytes.length > pieceMax) return bytes.slice();
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    return this.#taken(bytes.length);
  }

  encode(text: string): Uint8Array {
    const bytesMax = text.length * unitBytesMax;
    if (bytesMax > pieceMax) return encoder.encode(text);
    this.#reserve(bytesMax);
    return this.#taken(encoder.encodeInto(text, this.#bytes.subarray(this.#at)).written);
  }

  #reserve(length: number): void {
    if (this.#at + length <= slabBytes) return;
    this.#bytes = new Uint8Array(slabBytes);
    this.#at = 0;
  }

  #taken(length: number): Uint8Array {
    const start = this.#at;
    this.#at += length;
    return this.#bytes.subarray(start, this.#at);
  }
}

const slab = new Slab();

/** The UTF-8 bytes of a text, which is usually one event. */
export function encodedText(text: string): Uint8Array {
  return slab.encode(text);
}

/** A copy of bytes, which are usually one event. */
export function copiedBytes(bytes: Uint8Array): Uint8Array {
  return slab.copy(bytes);
}
