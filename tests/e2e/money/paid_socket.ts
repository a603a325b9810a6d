import { WebSocket } from "ws";
import type { PaidCall } from "./paid_upstream.ts";

/** The part of a socket of `ws` that is used. */
interface Socket {
  readonly readyState: number;
  send(text: string): void;
  terminate(): void;
  on(event: "open" | "close" | "error", listener: () => void): void;
  on(event: "message", listener: (data: Uint8Array) => void): void;
}

const terminals = new Set([
  "response.completed",
  "response.failed",
  "response.incomplete",
  "error",
]);

/** Paid calls on one WebSocket, one after the other; it is opened again once it has broken. */
export class PaidSocket {
  #socket?: Socket;
  #calls = 0;

  /** Rejects if the socket breaks before the end of the answer. */
  async call(
    base: string,
    key: string,
    { tag, signal }: { readonly tag?: string; readonly signal: AbortSignal },
  ): Promise<PaidCall> {
    const socket = this.#socket?.readyState === 1 ? this.#socket : await this.#open(base, key, tag);
    const { promise, resolve, reject } = Promise.withResolvers<PaidCall>();
    const lane = `call-${this.#calls++ % 30}`;
    socket.on("message", (data) => {
      const frame = JSON.parse(new TextDecoder().decode(data));
      if (frame.stream_id === lane && terminals.has(frame.type)) resolve(paidCallOf(frame));
    });
    socket.on("close", () => reject(new Error("the socket broke")));
    signal.addEventListener("abort", () => socket.terminate());
    const input = "How many planets are there?";
    socket.send(
      JSON.stringify({
        type: "response.create",
        stream_id: lane,
        model: "paid",
        input,
        store: false,
      }),
    );
    return await promise;
  }

  async #open(base: string, key: string, tag: string | undefined): Promise<Socket> {
    const headers = { authorization: `Bearer ${key}`, ...(tag && { "tessera-tag": tag }) };
    const socket: Socket = new WebSocket(`${base.replace("http", "ws")}/v1/responses`, { headers });
    await new Promise<void>((resolve, reject) => {
      socket.on("open", resolve);
      socket.on("error", () => reject(new Error("no socket")));
    });
    return this.#socket = socket;
  }
}

function paidCallOf({ type, status = 200, response, error }: {
  readonly type: string;
  readonly status?: number;
  readonly response?: { readonly id: string };
  readonly error?: { readonly code: string; readonly message: string; readonly request_id: string };
}): PaidCall {
  const id = response?.id.replace(/^resp_/, "req_") ?? error?.request_id ?? "";
  return { status, id, isWhole: type === "response.completed", ...error };
}
