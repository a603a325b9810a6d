import { connect, type Socket } from "node:net";

/** The longest wait for an immediate response; a busy machine may be slow. */
const patienceMs = 30_000;

/**
 * One connection, written and read byte by byte: `fetch` would hide how the server treats it. The
 * socket is read only during a call of a reading method.
 */
export class RawClient {
  readonly #socket: Socket;
  #received = "";
  #isOver = false;
  #onChange = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("utf8");
    socket.pause();
    socket.on("data", (text) => {
      this.#received += text;
      this.#onChange();
    });
    const end = () => {
      this.#isOver = true;
      this.#onChange();
    };
    socket.on("end", end);
    socket.on("close", end);
    socket.on("error", () => {}); // it is closed then
  }

  /** Connects to a server, such as `new URL("http://127.0.0.1:8000")`. */
  static async to(
    { hostname, port }: { readonly hostname: string; readonly port: number | string },
  ): Promise<RawClient> {
    const socket = connect(Number(port), hostname);
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    return new RawClient(socket);
  }

  /** Resolves once the bytes are handed to the kernel; only reading shows a closed connection. */
  async write(bytes: string | Uint8Array): Promise<void> {
    await new Promise<unknown>((resolve) => this.#socket.write(bytes, resolve));
  }

  /** The bytes up to the arrival of `end`; throws if the server closes or stays silent before. */
  async readUntil(end: string, waitMs = patienceMs): Promise<string> {
    await this.#reading(() => this.#received.includes(end), waitMs);
    if (!this.#received.includes(end)) {
      throw new Error(`closed or silent before ${JSON.stringify(end)}: ${this.#received}`);
    }
    return this.#take(this.#received.indexOf(end) + end.length);
  }

  /** The next bytes to arrive; empty if the server closes the connection or stays silent. */
  async readSome(waitMs = patienceMs): Promise<string> {
    await this.#reading(() => this.#received.length > 0, waitMs);
    return this.#take(this.#received.length);
  }

  /** The bytes until the server closes the connection; throws if it stays open. */
  async readAll(waitMs = patienceMs): Promise<string> {
    if (!await this.isClosedByServer(waitMs)) throw new Error("the connection stays open");
    return this.#take(this.#received.length);
  }

  /** Returns true if the server closes the connection within the time. */
  async isClosedByServer(waitMs: number): Promise<boolean> {
    await this.#reading(() => false, waitMs);
    const isClosed = this.#isOver;
    this.close();
    return isClosed;
  }

  /** Closes the connection normally. */
  close(): void {
    this.#socket.destroy();
  }

  /** Resets the connection, as after the loss of a machine. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #take(length: number): string {
    const taken = this.#received.slice(0, length);
    this.#received = this.#received.slice(length);
    return taken;
  }

  /** Reads until `holds` returns true, the server closes, or the time is up. */
  async #reading(holds: () => boolean, waitMs: number): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#onChange();
    }, waitMs);
    this.#socket.resume();
    while (!holds() && !this.#isOver && !isLate) {
      await new Promise<void>((resolve) => this.#onChange = resolve);
    }
    this.#socket.pause();
    clearTimeout(timer);
  }
}
