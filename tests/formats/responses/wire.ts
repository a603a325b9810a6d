import {
  type CanonicalRequest,
  GatewayError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { responses } from "../../../lib/formats/responses/mod.ts";
import type { ServerSentEvent, WireRequest } from "../../../lib/formats/wire.ts";
import { bareRequest } from "../requests/bare_request.ts";

/** Wire objects of the responses format. */

export function wireOf(body: JsonObject): WireRequest {
  return { path: "/responses", search: {}, headers: {}, body };
}

export function eventsOf(stream: readonly JsonObject[]): ServerSentEvent[] {
  return stream.map((event) => ({ event: String(event.type), data: JSON.stringify(event) }));
}

/**
 * The whole answer of a client that keeps every event: the finished items in order, texts from the
 * deltas, and everything else from the terminal event. Written without the codec.
 */
export function accumulated(stream: readonly JsonObject[]): JsonObject {
  const output: JsonObject[] = [];
  const texts = new Map<string, string>();
  for (const event of stream) {
    const key = `${event.output_index}:${event.content_index}`;
    if (event.type === "response.output_text.delta") {
      texts.set(key, (texts.get(key) ?? "") + event.delta);
    } else if (event.type === "response.output_item.done" && isJsonObject(event.item)) {
      output[Number(event.output_index)] = event.item;
    }
  }
  const terminal = stream.find(({ type }) =>
    type === "response.completed" || type === "response.incomplete"
  );
  const response = isJsonObject(terminal?.response) ? terminal.response : {};
  return {
    ...response,
    output: output.map((item, index) =>
      item.type === "message" && Array.isArray(item.content)
        ? {
          ...item,
          content: item.content.map((part, at) => streamed(part, texts.get(`${index}:${at}`))),
        }
        : item
    ),
  };
}

function streamed(part: JsonValue, text: string | undefined): JsonValue {
  return isJsonObject(part) && text !== undefined ? { ...part, text } : part;
}

/** Pieces of a stream. */

export const created = {
  type: "response.created",
  response: { id: "resp_1", model: "up", output: [] },
};
export const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };

export function completed(output: JsonObject[] = [], more: JsonObject = {}): JsonObject {
  return {
    type: "response.completed",
    response: { id: "resp_1", status: "completed", output, usage, ...more },
  };
}

export function added(output_index: number, item: JsonObject): JsonObject {
  return { type: "response.output_item.added", output_index, item };
}

export function done(output_index: number, item: JsonObject): JsonObject {
  return { type: "response.output_item.done", output_index, item };
}

export function argumentsDelta(output_index: number, delta: string): JsonObject {
  return { type: "response.function_call_arguments.delta", output_index, item_id: "x", delta };
}

export function textDelta(delta: string, content_index = 0): JsonObject {
  return {
    type: "response.output_text.delta",
    output_index: 0,
    content_index,
    item_id: "m",
    delta,
  };
}

export function call(id: string, text: string): JsonObject {
  return { type: "function_call", id: `fc_${id}`, call_id: id, name: `f_${id}`, arguments: text };
}

export const message = { type: "message", id: "msg_1", role: "assistant", content: [] };
export const hello = {
  ...message,
  content: [{ type: "output_text", text: "hello", annotations: [] }],
};

/** The request of a body, without its model. */
export function decode(body: JsonObject): CanonicalRequest {
  return responses.decodeRequest(wireOf({ model: "m", ...body }));
}

/** Converts a request of another format to this one, with its losses. */
export function encode(request: Partial<CanonicalRequest>) {
  const { wire, notes } = encodeAtOnce(responses, { ...foreign, ...request });
  const body = JSON.parse(JSON.stringify(wire.body));
  return { body, notes: notes.map(({ path, action }) => `${path} ${action}`) };
}

export function thrownBy(run: () => unknown): GatewayError {
  try {
    run();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

const foreign: CanonicalRequest = {
  ...bareRequest,
  stream: false,
};
