import { isAscii } from "node:buffer";

export const noBytes = new Uint8Array(0);

/** Joins chunks. Copies nothing if there is one, or if they follow each other in one buffer. */
export function concatenated(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 0) return noBytes;
  if (chunks.length === 1) return first;
  const length = lengthOf(chunks);
  if (areAdjacent(chunks)) return new Uint8Array(first.buffer, first.byteOffset, length);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  return length;
}

function areAdjacent(chunks: readonly Uint8Array[]): boolean {
  const { buffer, byteOffset } = chunks[0];
  let end = byteOffset;
  for (const chunk of chunks) {
    if (chunk.byteOffset !== end || chunk.buffer !== buffer) return false;
    end += chunk.length;
  }
  return true;
}

/** The length of a byte-order mark, if there is one. */
export function markLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** The bytes of a text without its byte-order mark. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  const mark = markLength(bytes);
  return mark === 0 ? bytes : bytes.subarray(mark);
}

// Of the runtime's decoders (Deno 2.8.2), the lenient one is many times as fast as the strict one for
// ASCII, and takes up to seven times as long for anything else.

/** Decodes UTF-8. A byte-order mark is kept. Throws a `TypeError` for bytes that are not UTF-8. */
export function strictText(bytes: Uint8Array): string {
  return (isAscii(bytes) ? lenient : strictWithMark).decode(bytes);
}

const lenient = new TextDecoder();
const strictWithMark = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** Decodes UTF-8 without its byte-order mark, with U+FFFD for what is not UTF-8. */
export function lenientText(bytes: Uint8Array): string {
  if (bytes.length < strictBytesMin || isAscii(bytes)) return lenient.decode(bytes);
  try {
    return strict.decode(bytes);
  } catch {
    return lenient.decode(bytes);
  }
}

/** For fewer bytes, the lenient decoder is the faster one. */
const strictBytesMin = 512;
const strict = new TextDecoder("utf-8", { fatal: true });

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
