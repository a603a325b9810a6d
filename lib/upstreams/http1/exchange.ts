import { readToEnd } from "../read_to_end.ts";
import type { UpstreamAnswer } from "../transport.ts";
import { AnswerFault, closedEarly } from "./answer_fault.ts";
import { type Body, bodyOf } from "./body.ts";
import type { Connection } from "./connection.ts";
import type { HeaderFields } from "./fields.ts";
import { type AnswerHead, headEnd, parseHead } from "./head.ts";
import { headBytesMax, wholeBytesMax } from "./limits.ts";

interface ExchangeOptions {
  /** The pieces of the request. */
  readonly pieces: readonly Uint8Array[];
  /** Closes the connection. */
  readonly signal: AbortSignal;
  /** Receives the connection if it may carry another request. */
  readonly release: (connection: Connection) => void;
}

/**
 * One request and its response on a connection. The response is read while the request is still
 * being written, because a server may refuse a body that it has not read. The connection is closed
 * unless the whole request was written and the whole response read, with nothing behind it.
 */
export class HttpExchange implements UpstreamAnswer {
  readonly #connection: Connection;
  readonly #options: ExchangeOptions;
  readonly #head: AnswerHead;
  readonly #body: Body;
  readonly #writing: Writing;
  readonly #close: () => void;

  private constructor(begun: Begun, head: AnswerHead) {
    this.#connection = begun.connection;
    this.#options = begun.options;
    this.#writing = begun.writing;
    this.#close = begun.close;
    this.#head = head;
    this.#body = bodyOf(head.framing, begun.connection);
    if (this.#body.isEnded) this.#end();
  }

  /** Sends the request and reads the head of its final response. */
  static async begin(connection: Connection, options: ExchangeOptions): Promise<HttpExchange> {
    const close = () => connection.close();
    if (options.signal.aborted) close(); // then nothing is written
    options.signal.addEventListener("abort", close);
    const writing = write(connection, options.pieces);
    try {
      options.signal.throwIfAborted();
      const head = await finalHead(connection);
      return new HttpExchange({ connection, options, writing, close }, head);
    } catch (error) {
      options.signal.removeEventListener("abort", close);
      connection.close();
      throw error;
    }
  }

  get status(): number {
    return this.#head.status;
  }

  get headers(): HeaderFields {
    return this.#head.headers;
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#body.isEnded) return undefined;
    try {
      const chunk = await this.#body.read();
      if (this.#body.isEnded) this.#end();
      return chunk;
    } catch (error) {
      this.cancel();
      throw error;
    }
  }

  readRest(): Promise<Uint8Array> {
    const arrived = this.#body.arrived();
    if (arrived) {
      this.#end();
      return Promise.resolve(arrived);
    }
    const { framing } = this.#head;
    const isDeclared = framing.type === "length";
    return readToEnd(this, isDeclared ? { expected: Math.min(framing.bytes, wholeBytesMax) } : {});
  }

  cancel(): void {
    this.#options.signal.removeEventListener("abort", this.#close);
    if (!this.#isReleased) this.#connection.close();
  }

  #isReleased = false;

  #end(): void {
    const connection = this.#connection;
    const isClean = this.#head.isPersistent && this.#writing.isDone &&
      connection.from === connection.to;
    if (isClean && !connection.isClosed) {
      this.#isReleased = true;
      this.#options.release(connection);
    }
    this.cancel();
  }
}

interface Begun {
  readonly connection: Connection;
  readonly options: ExchangeOptions;
  readonly writing: Writing;
  readonly close: () => void;
}

interface Writing {
  isDone: boolean;
}

/** Writes in the background. A failure shows in the response: one arrived, or the read fails too. */
function write(connection: Connection, pieces: readonly Uint8Array[]): Writing {
  const writing: Writing = { isDone: false };
  connection.write(pieces).then(() => writing.isDone = true, () => {});
  return writing;
}

/** Skips interim responses (RFC 9110, 15.2); a change of protocol was not requested. */
async function finalHead(connection: Connection): Promise<AnswerHead> {
  let bytesLeft = headBytesMax;
  for (let searched = 0;;) {
    const length = headLength(connection, searched, bytesLeft);
    const { buffer, from, to } = connection;
    if (length === undefined) {
      searched = Math.max(0, to - from - 3);
      if (!await connection.fill()) throw closedEarly();
      continue;
    }
    const head = parseHead(buffer.subarray(from, from + length));
    connection.from += length;
    bytesLeft -= length;
    searched = 0;
    if (head.status === 101) throw new AnswerFault("not-http", "invalid HTTP status 101");
    if (head.status >= 200) return head;
  }
}

/** The length of the head in the buffer, past the bytes searched before; undefined if it is not whole. */
function headLength(
  { buffer, from, to }: Connection,
  searched: number,
  bytesMax: number,
): number | undefined {
  const end = headEnd(buffer, from + searched, to);
  if (end >= 0 && end - from <= bytesMax) return end - from;
  if (end >= 0 || to - from >= bytesMax) {
    throw new AnswerFault("headers", "message head is too large");
  }
  assertHttp(buffer, from, to);
  return undefined;
}

const protocol = new TextEncoder().encode("HTTP/1.");

/** Fails early: a peer that speaks another protocol may wait for us. */
function assertHttp(bytes: Uint8Array, from: number, to: number): void {
  const length = Math.min(protocol.length, to - from);
  for (let at = 0; at < length; at++) {
    if (bytes[from + at] !== protocol[at]) {
      throw new AnswerFault("not-http", "invalid HTTP version");
    }
  }
}
