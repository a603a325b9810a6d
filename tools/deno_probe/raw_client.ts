/** One connection, written and read byte by byte: `fetch` would hide how the server treats it. */
export class RawClient {
  readonly #connection: Deno.TcpConn;
  #received = "";

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async to({ hostname, port }: Deno.NetAddr): Promise<RawClient> {
    return new RawClient(await Deno.connect({ hostname, port }));
  }

  async write(text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    for (let sent = 0; sent < bytes.length;) {
      sent += await this.#connection.write(bytes.subarray(sent));
    }
  }

  /** All that has arrived once `end` is in it; throws where the server closes or is silent before. */
  async readUntil(end: string, waitMs = 2_000): Promise<string> {
    const timer = setTimeout(() => this.close(), waitMs);
    try {
      while (!this.#received.includes(end)) {
        if (!await this.#readMore()) throw new Error(`closed before ${JSON.stringify(end)}`);
      }
    } finally {
      clearTimeout(timer);
    }
    const at = this.#received.indexOf(end) + end.length;
    const read = this.#received.slice(0, at);
    this.#received = this.#received.slice(at);
    return read;
  }

  /** Whether the server closes the connection within the time. */
  async isClosedByServer(waitMs: number): Promise<boolean> {
    let inTime = true;
    const timer = setTimeout(() => {
      inTime = false;
      this.close();
    }, waitMs);
    while (await this.#readMore().catch(() => false));
    clearTimeout(timer);
    return inTime;
  }

  close(): void {
    try {
      this.#connection.close();
    } catch { /* closed already */ }
  }

  async #readMore(): Promise<boolean> {
    const buffer = new Uint8Array(65_536);
    const length = await this.#connection.read(buffer);
    if (length === null) return false;
    this.#received += new TextDecoder().decode(buffer.subarray(0, length));
    return true;
  }
}
