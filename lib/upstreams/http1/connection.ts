import { isHttp2Only } from "../http2_only.ts";
import { Http2Only } from "./answer_fault.ts";
import { bufferBytes, bufferBytesMax } from "./limits.ts";

/** A host to connect to. */
interface Target {
  /** IP addresses to try in order, or one name that the operating system resolves. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** The name that the certificate must prove; absent: no TLS. */
  readonly tlsName?: string;
}

/** A connection to a host, with a buffer of what was read from it and not consumed. */
export class Connection {
  readonly #socket: Deno.Conn;
  /** The address that was connected to. */
  readonly address: string;
  buffer = new Uint8Array(bufferBytes);
  /** The unconsumed bytes are `buffer[from..to]`. */
  from = 0;
  to = 0;
  /** True if a byte has arrived since the last request. */
  isAnswered = false;
  #reading: Promise<number | null> | undefined;
  #isClosed = false;
  #isIdle = false;

  constructor(socket: Deno.Conn, address: string) {
    this.#socket = socket;
    this.address = address;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Reads more unconsumed bytes; false at the peer's end. Rejects if the connection breaks. */
  async fill(): Promise<boolean> {
    const reading = this.#reading ?? this.#read();
    this.#reading = undefined;
    const count = await reading;
    if (count === null) return false;
    this.isAnswered = true;
    this.to += count;
    return true;
  }

  /** Reads into `target`, past the buffer, which must be empty; 0 at the peer's end. */
  async readInto(target: Uint8Array): Promise<number> {
    return await this.#socket.read(target) ?? 0;
  }

  /**
   * Reads ahead while idle: that notices a peer that closes, and the read then serves the next
   * response. `onEvent` is called if anything arrives before `reuse`.
   */
  watch(onEvent: () => void): void {
    this.from = 0;
    this.to = 0;
    this.isAnswered = false;
    if (this.buffer.length > bufferBytes) this.buffer = new Uint8Array(bufferBytes);
    this.#reading = this.#read();
    this.#isIdle = true;
    const onRead = () => void (this.#isIdle && onEvent());
    this.#reading.then(onRead, onRead);
  }

  /** Ends `watch`: what arrives from now on is a response. */
  reuse(): this {
    this.#isIdle = false;
    return this;
  }

  async write(pieces: readonly Uint8Array[]): Promise<void> {
    for (const bytes of pieces) {
      for (let at = 0; at < bytes.length;) {
        at += await this.#socket.write(at === 0 ? bytes : bytes.subarray(at));
      }
    }
  }

  /** Ends the connection at once: pending reads and writes fail. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.close();
  }

  #read(): Promise<number | null> {
    this.#makeRoom();
    return this.#socket.read(this.to === 0 ? this.buffer : this.buffer.subarray(this.to));
  }

  /** Makes room behind the unconsumed bytes: moves them to the front, or grows the buffer. */
  #makeRoom(): void {
    if (this.from === this.to) {
      if (this.to === this.buffer.length && this.to < bufferBytesMax) {
        this.buffer = new Uint8Array(bufferBytesMax);
      }
      this.from = this.to = 0;
    }
    if (this.to < this.buffer.length) return;
    const unread = this.buffer.subarray(this.from, this.to);
    const isFull = unread.length === this.buffer.length;
    const buffer = isFull ? new Uint8Array(this.buffer.length * 2) : this.buffer;
    buffer.set(unread);
    this.buffer = buffer;
    this.to = unread.length;
    this.from = 0;
  }
}

/** Connects to the first address that accepts. Throws the last failure. */
export async function connect(
  { addresses, port, tlsName }: Target,
  signal: AbortSignal,
): Promise<Connection> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      const socket = await Deno.connect({ hostname: address, port, signal });
      socket.setNoDelay(true); // a request in two writes would wait for the peer's delayed ACK
      return new Connection(tlsName ? await secured(socket, tlsName, signal) : socket, address);
    } catch (error) {
      if (signal.aborted) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** The certificate authorities are the process's own, as for `fetch`. */
async function secured(
  socket: Deno.TcpConn,
  hostname: string,
  signal: AbortSignal,
): Promise<Deno.TlsConn> {
  const secure = await Deno.startTls(socket, { hostname, alpnProtocols: ["http/1.1"] });
  const close = () => secure.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    signal.throwIfAborted();
    await secure.handshake();
    return secure;
  } catch (error) {
    if (!signal.aborted) secure.close();
    if (isHttp2Only(error)) throw new Http2Only("the upstream requires HTTP/2", { cause: error });
    throw error;
  } finally {
    signal.removeEventListener("abort", close);
  }
}
