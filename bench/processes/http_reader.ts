/** One message of HTTP/1.1, without its body. */
interface Message {
  readonly head: string;
  /** The last bytes of the body. */
  readonly ending: string;
}

const latin1 = new TextDecoder("latin1");
const lineFeed = 10;
const endingBytes = 1024;

/**
 * Reads HTTP/1.1 messages of one connection as cheaply as Deno can. Drops bodies except their last
 * bytes. Trusts the peer: nothing is bounded.
 */
export class HttpReader {
  readonly #connection: Pick<Deno.Conn, "read">;
  #buffer = new Uint8Array(65_536);
  #start = 0;
  #end = 0;
  readonly #ending = new Uint8Array(endingBytes);
  #endingLength = 0;

  constructor(connection: Pick<Deno.Conn, "read">) {
    this.#connection = connection;
  }

  /** Returns undefined if the peer closes before the message is whole. */
  async next(onFirstByte = () => {}): Promise<Message | undefined> {
    this.#endingLength = 0;
    const head = await this.#head();
    if (head === undefined) return undefined;
    const isWhole = /^transfer-encoding: *chunked/im.test(head)
      ? await this.#skipChunks(onFirstByte)
      : await this.#skip(lengthOf(head), onFirstByte);
    if (!isWhole) return undefined;
    return { head, ending: latin1.decode(this.#ending.subarray(0, this.#endingLength)) };
  }

  async #head(): Promise<string | undefined> {
    for (let from = this.#start;;) {
      const at = this.#buffer.subarray(0, this.#end).indexOf(lineFeed, from);
      const isLast = at >= 0 && this.#buffer[at - 2] === lineFeed; // the line before ends there
      if (isLast) return this.#take(at + 1);
      if (at >= 0) from = at + 1;
      else {
        const before = this.#start;
        if (!await this.#fill()) return undefined;
        from -= before - this.#start;
      }
    }
  }

  async #line(): Promise<string | undefined> {
    for (;;) {
      const at = this.#buffer.subarray(0, this.#end).indexOf(lineFeed, this.#start);
      if (at >= 0) return this.#take(at + 1);
      if (!await this.#fill()) return undefined;
    }
  }

  #take(end: number): string {
    const text = latin1.decode(this.#buffer.subarray(this.#start, end));
    this.#start = end;
    return text;
  }

  async #skipChunks(onFirstByte: () => void): Promise<boolean> {
    let notify = onFirstByte;
    for (;;) {
      const line = await this.#line();
      if (line === undefined) return false;
      const length = parseInt(line, 16);
      if (length === 0) return await this.#line() !== undefined; // no peer here sends trailers
      if (!await this.#skip(length, notify) || await this.#line() === undefined) return false;
      notify = () => {};
    }
  }

  async #skip(length: number, onFirstByte: () => void): Promise<boolean> {
    let left = length;
    for (let isFirst = true; left > 0; isFirst = false) {
      if (this.#start === this.#end && !await this.#fill()) return false;
      if (isFirst) onFirstByte();
      const taken = Math.min(left, this.#end - this.#start);
      this.#keep(this.#buffer.subarray(this.#start, this.#start + taken));
      this.#start += taken;
      left -= taken;
    }
    return true;
  }

  #keep(part: Uint8Array): void {
    const kept = part.subarray(-endingBytes);
    const surplus = Math.max(0, this.#endingLength + kept.length - endingBytes);
    if (surplus > 0) this.#ending.copyWithin(0, surplus, this.#endingLength);
    this.#endingLength -= surplus;
    this.#ending.set(kept, this.#endingLength);
    this.#endingLength += kept.length;
  }

  /** Appends what arrives; returns false at the end of the connection. */
  async #fill(): Promise<boolean> {
    if (this.#start === this.#end) this.#start = this.#end = 0;
    else if (this.#end === this.#buffer.length) {
      this.#buffer.copyWithin(0, this.#start, this.#end);
      this.#end -= this.#start;
      this.#start = 0;
      if (this.#end === this.#buffer.length) throw new Error("a line is larger than the buffer");
    }
    const count = await this.#connection.read(this.#buffer.subarray(this.#end));
    if (count === null) return false;
    this.#end += count;
    return true;
  }
}

function lengthOf(head: string): number {
  return Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
}

export async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}
