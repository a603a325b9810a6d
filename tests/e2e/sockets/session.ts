import OpenAI from "openai";
import { ResponsesWebSocketSession } from "openai/lib/responses/responses-websocket-session";
import { ResponsesWS } from "openai/resources/responses/ws";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import type { TestGateway } from "../gateway.ts";

export type Frame = JsonObject & { readonly type: string };

/** The vendor's client on one socket, and all frames that it received. */
export interface SocketClient extends Disposable {
  readonly socket: ResponsesWS;
  readonly session: ResponsesWebSocketSession;
  readonly frames: Frame[];
  /** Resolves with the code of the socket's end. */
  readonly closed: Promise<number>;
  /** Sends a frame as it is. */
  send(frame: unknown): void;
  /** The first frame from now on, or before, that matches. */
  seen(matches: (frame: Frame) => boolean): Promise<Frame>;
}

/** The address, headers and trusted certificates (PEM) of a socket. */
interface SocketOptions {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ca?: string;
}

/** Opens a socket with the newest SDK. */
export async function openSocket(
  { base }: Pick<TestGateway, "base">,
  key: string,
  { path = "/v1", ...options }: SocketOptions = {},
): Promise<SocketClient> {
  const client = new OpenAI({ apiKey: key, baseURL: base + path, maxRetries: 0 });
  const socket = new ResponsesWS(client, options as object); // sound: of `ws`, whose types are not resolved
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  const { promise: closed, resolve: close } = Promise.withResolvers<number>();
  socket.on("error", () => {}); // they are frames too
  socket.on("event", (event) => {
    frames.push(event as unknown as Frame); // sound: JSON with a type
    for (const look of waiting) look();
  });
  socket.on("close", (code) => close(code));
  await new Promise<void>((resolve, reject) => {
    socket.socket.on("open", () => resolve());
    socket.socket.on("error", reject);
  });
  const limits = { maxLanes: 40, maxBufferedEvents: 10_000, maxBufferedBytes: 64 << 20 };
  return {
    socket,
    frames,
    closed,
    session: new ResponsesWebSocketSession(socket, limits),
    send: (frame) => socket.sendRaw(typeof frame === "string" ? frame : JSON.stringify(frame)),
    seen: (matches) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = frames.find(matches);
          if (!found) return;
          end();
          resolve(found);
        };
        const end = () => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        const timer = setTimeout(() => {
          end();
          reject(new Error(`no such frame among ${JSON.stringify(frames).slice(0, 2_000)}`));
        }, 10_000);
        waiting.add(look);
        look();
      }),
    [Symbol.dispose]: () => socket.close({ code: 1000, reason: "" }),
  };
}

export const isType = (type: string) => (frame: Frame) => frame.type === type;
