/** A request as it came over a raw connection. */
export interface RawRequest {
  readonly path: string;
  readonly body: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** So small that a request is never read whole in one step. */
const stepBytes = 64;

/**
 * One side of a connection that speaks as much HTTP as a fault leaves it. The last byte of a request
 * stays unread, so that the connection can be reset: the kernel answers for bytes that nobody read.
 */
export class RawConnection {
  readonly #connection: Deno.TcpConn;
  #waiting = new Uint8Array(0);

  constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
    connection.setNoDelay(true);
  }

  /** The path of the request, and nothing further; undefined where none came. */
  async readPath(): Promise<string | undefined> {
    const line = await this.#readUntil("\r\n");
    return line?.split(" ")[1];
  }

  /** The rest of the request, but for its last byte, which is the brace that closes its body. */
  async readBody(): Promise<string | undefined> {
    const head = await this.#readUntil("\r\n\r\n");
    const length = Number(/content-length: *(\d+)/i.exec(head ?? "")?.[1] ?? NaN);
    while (this.#waiting.length < length - 1) {
      if (!await this.#readMore(length - 1 - this.#waiting.length)) return undefined;
    }
    return `${decoder.decode(this.#waiting)}}`;
  }

  async write(text: string | Uint8Array): Promise<void> {
    const bytes = typeof text === "string" ? encoder.encode(text) : text;
    for (let at = 0; at < bytes.length;) at += await this.#connection.write(bytes.subarray(at));
  }

  head(status: number, headers: Readonly<Record<string, string>>): Promise<void> {
    const lines = Object.entries({ connection: "close", ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`);
    return this.write(`HTTP/1.1 ${status} Fault\r\n${lines.join("")}\r\n`);
  }

  /** A whole body with its length. */
  async whole(status: number, type: string, body: string | Uint8Array): Promise<void> {
    const bytes = typeof body === "string" ? encoder.encode(body) : body;
    await this.head(status, { "content-type": type, "content-length": `${bytes.length}` });
    await this.write(bytes);
  }

  /** The head of a body that comes in chunks. */
  begin(type: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    return this.head(200, { "content-type": type, "transfer-encoding": "chunked", ...headers });
  }

  chunk(text: string): Promise<void> {
    const bytes = encoder.encode(text);
    if (bytes.length === 0) return Promise.resolve();
    return this.write(`${bytes.length.toString(16)}\r\n${text}\r\n`);
  }

  /** The end of a body in chunks. */
  end(): Promise<void> {
    return this.write("0\r\n\r\n");
  }

  /** Resolves when the peer has disconnected. */
  async left(): Promise<void> {
    const buffer = new Uint8Array(stepBytes);
    try {
      while (await this.#connection.read(buffer) !== null);
    } catch {
      // reset, which is as gone as closed
    }
  }

  /** Takes the byte that was left of the request, so that closing is no reset. */
  async readLast(): Promise<void> {
    await this.#readMore(1);
  }

  /** Closes the connection; one with unread bytes is reset. */
  close(): void {
    try {
      this.#connection.close();
    } catch {
      // closed already
    }
  }

  async #readUntil(mark: string): Promise<string | undefined> {
    for (;;) {
      const text = decoder.decode(this.#waiting);
      const at = text.indexOf(mark);
      if (at >= 0) {
        this.#waiting = this.#waiting.subarray(at + mark.length);
        return text.slice(0, at);
      }
      if (!await this.#readMore(stepBytes)) return undefined;
    }
  }

  async #readMore(bytesMax: number): Promise<boolean> {
    const buffer = new Uint8Array(bytesMax);
    const length = await this.#connection.read(buffer);
    if (length === null) return false;
    const joined = new Uint8Array(this.#waiting.length + length);
    joined.set(this.#waiting);
    joined.set(buffer.subarray(0, length), this.#waiting.length);
    this.#waiting = joined;
    return true;
  }
}
