import { connect, type Socket } from "node:net";
import { assert } from "@std/assert";
import { testKey } from "./gateway.ts";

/** A request as a raw caller sends it. */
export interface RawCall {
  readonly path: string;
  readonly body: string;
  /** How much of the body is sent; all of it where nothing is said. */
  readonly sentBytes?: number;
  readonly key?: string;
}

/** A caller on a TCP connection of its own, which can leave in the middle of its request, and by a reset. */
export class RawCaller {
  readonly #socket: Socket;
  #received = "";
  #onChange = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("utf8");
    socket.on("data", (text) => {
      this.#received += text;
      this.#onChange();
    });
    socket.on("close", () => this.#onChange());
    socket.on("error", () => {}); // it is closed then
  }

  /** Connects, and sends the request as far as it is to go. */
  static async call(base: string, call: RawCall): Promise<RawCaller> {
    const { hostname, port, host } = new URL(base);
    const socket = connect(Number(port), hostname);
    const caller = new RawCaller(socket);
    const body = new TextEncoder().encode(call.body);
    const head = [
      `POST ${call.path} HTTP/1.1`,
      `host: ${host}`,
      `authorization: Bearer ${call.key ?? testKey}`,
      "content-type: application/json",
      `content-length: ${body.length}`,
    ];
    await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    await new Promise((resolve) => socket.write(body.subarray(0, call.sentBytes), resolve));
    return caller;
  }

  /** Resolves once the answer has this text so far, and reads no further. */
  async until(text: string): Promise<void> {
    while (!this.#received.includes(text)) {
      assert(!this.#socket.destroyed, `the answer ended before ${text}: ${this.#received}`);
      await new Promise<void>((resolve) => this.#onChange = resolve);
    }
    this.#socket.pause();
  }

  /** Ends the connection as a client does that is done. */
  close(): void {
    this.#socket.destroy();
  }

  /** Ends it as a machine does that is gone: by a reset. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }
}
