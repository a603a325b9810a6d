import { copiedBytes } from "../../http/body/slab.ts";
import { closedEarly } from "./answer_fault.ts";
import { ChunkedDecoder } from "./chunked_decoder.ts";
import type { Connection } from "./connection.ts";
import type { BodyFraming } from "./head.ts";
import { bufferBytes, bufferBytesMax } from "./limits.ts";

/** The body of a response, decoded from its connection. */
export interface Body {
  /** True if the last byte has been consumed. */
  readonly isEnded: boolean;
  /** Reads a chunk with at least a byte; undefined at the end. Rejects if the body is cut off. */
  read(): Promise<Uint8Array | undefined>;
  /** Consumes the rest of the body if it is known to have arrived; undefined otherwise. */
  arrived(): Uint8Array | undefined;
}

export function bodyOf(framing: BodyFraming, connection: Connection): Body {
  if (framing.type === "chunked") return new ChunkedBody(connection);
  return new PlainBody(connection, framing.type === "length" ? framing.bytes : undefined);
}

/** A body of a declared length, or one that ends with the connection. */
class PlainBody implements Body {
  readonly #connection: Connection;
  readonly #isDeclared: boolean;
  #left: number;
  #size = bufferBytes;

  constructor(connection: Connection, length: number | undefined) {
    this.#connection = connection;
    this.#isDeclared = length !== undefined;
    this.#left = length ?? Infinity;
  }

  get isEnded(): boolean {
    return this.#left === 0;
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#left === 0) return undefined;
    const chunk = this.#buffered() ?? await this.#next();
    if (!chunk && this.#isDeclared) throw closedEarly();
    this.#left = chunk ? this.#left - chunk.length : 0;
    return chunk;
  }

  arrived(): Uint8Array | undefined {
    const { from, to } = this.#connection;
    if (this.#left === 0 || this.#left > to - from) return undefined;
    const rest = this.#buffered();
    this.#left = 0;
    return rest;
  }

  #buffered(): Uint8Array | undefined {
    const { buffer, from, to } = this.#connection;
    if (from === to) return undefined;
    const end = Math.min(to, from + this.#left);
    this.#connection.from = end;
    return copiedBytes(buffer.subarray(from, end));
  }

  /** Reads a declared body past the connection's buffer: its chunks are large, and so not copied. */
  async #next(): Promise<Uint8Array | undefined> {
    if (!this.#isDeclared) return await this.#connection.fill() ? this.#buffered() : undefined;
    const target = new Uint8Array(Math.min(this.#left, this.#size));
    const count = await this.#connection.readInto(target);
    if (count === this.#size) this.#size = bufferBytesMax;
    else if (count < bufferBytes) this.#size = bufferBytes;
    return count === 0 ? undefined : target.subarray(0, count);
  }
}

/** So many chunks are read one by one, as by `fetch`. */
const singleChunks = 4;

/**
 * Chunks that arrive together are read together, but for the first ones: a broken chunk must not
 * take the beginning of the answer with it.
 */
class ChunkedBody implements Body {
  readonly #connection: Connection;
  #reads = 0;
  readonly #decoder = new ChunkedDecoder();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get isEnded(): boolean {
    return this.#decoder.isEnded;
  }

  /** The end of chunks is known only once they are decoded. */
  arrived(): undefined {
    return undefined;
  }

  async read(): Promise<Uint8Array | undefined> {
    const connection = this.#connection;
    while (!this.#decoder.isEnded) {
      if (connection.from === connection.to && !await connection.fill()) throw closedEarly();
      const { buffer, from, to } = connection;
      const end = this.#decoder.decode(buffer, from, to, this.#reads < singleChunks);
      connection.from = this.#decoder.consumed;
      if (end === from) continue;
      this.#reads++;
      return copiedBytes(buffer.subarray(from, end));
    }
    return undefined;
  }
}
