import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent, WireRequest } from "../../../lib/formats/wire.ts";

export function wireOf(body: JsonObject): WireRequest {
  return { path: "/v1/messages", search: {}, headers: {}, body };
}

export function eventsOf(stream: readonly JsonObject[]): ServerSentEvent[] {
  return stream.map((event) => ({ event: String(event.type), data: JSON.stringify(event) }));
}

/** The events of a stream. */
export const messageStart = (members: JsonObject = {}) => ({
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 12, output_tokens: 1 },
    ...members,
  },
});
export const open = (index: number, content_block: JsonObject = { type: "text", text: "" }) => ({
  type: "content_block_start",
  index,
  content_block,
});
export const delta = (index: number, delta: JsonObject = { type: "text_delta", text: "a" }) => ({
  type: "content_block_delta",
  index,
  delta,
});
export const stop = (index: number) => ({ type: "content_block_stop", index });

/** The message that the vendor's SDK builds from a stream, written without the codec. */
export function accumulated(stream: readonly JsonObject[]): JsonObject {
  let message: JsonObject = {};
  const blocks: { block: JsonObject; json: string }[] = [];
  for (const event of stream) {
    const at = blocks[Number(event.index)];
    if (event.type === "message_start") message = objectOf(event.message);
    else if (event.type === "content_block_start") {
      blocks.push({ block: objectOf(event.content_block), json: "" });
    } else if (event.type === "content_block_delta" && at) grow(at, objectOf(event.delta));
    else if (event.type === "message_delta") message = ended(message, event);
  }
  return { ...message, content: blocks.map(finished) };
}

function grow(at: { block: JsonObject; json: string }, delta: JsonObject): void {
  const { block } = at;
  switch (delta.type) {
    case "text_delta":
      at.block = { ...block, text: `${block.text}${delta.text}` };
      return;
    case "thinking_delta":
      at.block = { ...block, thinking: `${block.thinking}${delta.thinking}` };
      return;
    case "signature_delta":
      at.block = { ...block, signature: delta.signature };
      return;
    case "citations_delta":
      at.block = {
        ...block,
        citations: [...(Array.isArray(block.citations) ? block.citations : []), delta.citation],
      } as JsonObject; // sound: both come from JSON
      return;
    case "input_json_delta":
      at.json += delta.partial_json;
      return;
    default:
      throw new TypeError(`A recording holds a delta of the type ${delta.type}`);
  }
}

function finished({ block, json }: { block: JsonObject; json: string }): JsonObject {
  if (json === "") return block;
  try {
    return { ...block, input: JSON.parse(json) };
  } catch {
    return { ...block, input: json }; // a limit cut the call off
  }
}

function ended(message: JsonObject, { delta, usage }: JsonObject): JsonObject {
  const stated = Object.entries(objectOf(usage)).filter(([, value]) => value !== null);
  return {
    ...message,
    ...objectOf(delta),
    usage: { ...objectOf(message.usage), ...Object.fromEntries(stated) },
  };
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The events for a caller, parsed. */
export function sentBy(events: readonly ServerSentEvent[]): JsonObject[] {
  return events.map(({ data }) => JSON.parse(data));
}
