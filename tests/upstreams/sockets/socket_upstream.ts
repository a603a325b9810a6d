import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { serveLoopback } from "../../e2e/fake_upstream.ts";

/** A frame that arrived, and the socket on which to answer. */
export interface ReceivedFrame {
  readonly frame: JsonObject;
  readonly socket: WebSocket;
  /** The number of the connection, from 0. */
  readonly connection: number;
  send(event: JsonObject): void;
}

export interface SocketUpstream extends AsyncDisposable {
  readonly base: string;
  /** The frames that arrived, in order. */
  readonly frames: JsonObject[];
  /** The headers of each handshake. */
  readonly handshakes: Headers[];
  /** The bodies of the POST requests. */
  readonly posts: JsonObject[];
  /** Resolves with the number of the first connection that was closed. */
  readonly closed: Promise<number>;
}

interface Script {
  /** Answers each frame. */
  readonly onFrame?: (received: ReceivedFrame) => void;
  /** Refuses the handshake. */
  readonly refuse?: () => Response | undefined;
}

/** A real server of the responses format, which also offers a WebSocket and does what a test says. */
export function startSocketUpstream({ onFrame = answerTurn, refuse }: Script = {}): SocketUpstream {
  const frames: JsonObject[] = [];
  const handshakes: Headers[] = [];
  const posts: JsonObject[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<number>();
  const server = serveLoopback(async (request) => {
    if (request.headers.get("upgrade") === null) {
      posts.push(await request.json());
      return new Response(sse(eventsOf("posted", "over HTTP")), {
        headers: { "content-type": "text/event-stream" },
      });
    }
    const connection = handshakes.push(request.headers) - 1;
    const refused = refuse?.();
    if (refused) return refused;
    const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: 0 });
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(data);
      frames.push(frame);
      const send = (event: JsonObject) => socket.send(JSON.stringify(event));
      onFrame({ frame, socket, connection, send });
    };
    socket.onerror = () => {};
    socket.onclose = () => resolve(connection);
    return response;
  });
  return { ...server, frames, handshakes, posts, closed };
}

/** Answers a turn with a text that says how many items it was sent. */
export function answerTurn({ frame, send }: ReceivedFrame): void {
  const { input } = frame;
  const count = Array.isArray(input) ? input.length : 1;
  for (const event of eventsOf(`resp_${count}`, `${count} items`)) send(event);
}

/** The message of an answer. */
export function messageOf(text: string): JsonObject {
  return {
    id: `msg_${text.length}`,
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  };
}

/** The events of an answer with one message. */
export function eventsOf(id: string, text: string): JsonObject[] {
  const response = { id, object: "response", created_at: 1, model: "m" };
  const item = messageOf(text);
  const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
  const place = { output_index: 0, content_index: 0, item_id: `msg_${text.length}` };
  const opened = { ...item, content: [], status: "in_progress" };
  return [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item: opened },
    { type: "response.output_text.delta", ...place, delta: text },
    { type: "response.output_item.done", output_index: 0, item },
    {
      type: "response.completed",
      response: { ...response, status: "completed", output: [item], usage },
    },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

/** Events as a stream states them. */
export function sse(events: readonly JsonObject[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
