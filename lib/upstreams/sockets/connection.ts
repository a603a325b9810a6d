import { type NodeWebSocket, openState } from "../../http/node_web_socket.ts";

/** Maximum characters of frames that wait to be read: above it, nothing more is received. */
const waitingCharsMax = 256 * 1024;

/** A WebSocket to an upstream whose text frames are read one by one, at the reader's pace. */
export class SocketConnection {
  readonly #socket: NodeWebSocket;
  readonly #frames: string[] = [];
  #chars = 0;
  #isPaused = false;
  #ended?: Error;
  #wake = () => {};
  #pongs = 0;

  /** `socket` may still be connecting. */
  constructor(socket: NodeWebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#take(String(data))); // a `Buffer` of valid UTF-8
    socket.on("error", (cause) => this.close(cause));
    socket.on("close", () => this.close(new Error("The WebSocket was closed before the response")));
    socket.on("pong", () => {
      this.#pongs++;
      this.#wake();
    });
  }

  get isOpen(): boolean {
    return !this.#ended && this.#socket.readyState === openState;
  }

  send(frame: string): void {
    this.#socket.send(frame);
  }

  /** Reads a frame. Rejects once the connection has ended and its frames were read. */
  async read(): Promise<string> {
    while (this.#frames.length === 0) {
      if (this.#ended) throw this.#ended;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    return this.#next();
  }

  /** Drops frames that belong to no response; returns false if one may belong to one. */
  dropIdle(): boolean {
    while (this.#frames.length > 0) {
      if (/"type"\s*:\s*"(response\.|error")/.test(this.#next())) return false;
    }
    return true;
  }

  /** Returns true if the other side answers a ping within `ms`. */
  async answersPing(ms: number): Promise<boolean> {
    const before = this.#pongs;
    this.#socket.ping();
    const timer = setTimeout(() => this.#wake(), ms);
    await new Promise<void>((resolve) => this.#wake = resolve);
    clearTimeout(timer);
    return this.#pongs > before && this.isOpen;
  }

  /** Ends the connection at once; `reason` is what later reads reject with. */
  close(reason: Error = new Error("The WebSocket was closed before the response")): void {
    if (this.#ended) return;
    this.#ended = reason;
    this.#socket.terminate();
    this.#wake();
  }

  #take(frame: string): void {
    this.#frames.push(frame);
    this.#chars += frame.length;
    if (this.#chars > waitingCharsMax && !this.#isPaused) {
      this.#isPaused = true;
      this.#socket.pause();
    }
    this.#wake();
  }

  #next(): string {
    const frame = this.#frames.shift() ?? "";
    this.#chars -= frame.length;
    if (this.#isPaused && this.#chars <= waitingCharsMax) {
      this.#isPaused = false;
      this.#socket.resume();
    }
    return frame;
  }
}
