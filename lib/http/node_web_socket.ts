import type { Buffer } from "node:buffer";

/** The part of a WebSocket of `ws` that is used: its own types would bring those of Node.js. */
export interface NodeWebSocket {
  readonly readyState: number;
  /** Bytes that wait until the other side reads. */
  readonly bufferedAmount: number;
  on(event: "message", listener: (data: Buffer, isBinary: boolean) => void): void;
  on(event: "error", listener: (cause: Error) => void): void;
  on(event: "close" | "open" | "pong" | "unexpected-response", listener: () => void): void;
  send(text: string): void;
  ping(): void;
  pause(): void;
  resume(): void;
  close(code: number, reason: string): void;
  /** Ends the connection at once. */
  terminate(): void;
}

/** `readyState` of a WebSocket that takes messages. */
export const openState = 1;
