import { EventStreamCodec } from "@smithy/eventstream-codec";

const codec = new EventStreamCodec(
  (bytes) => typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes),
  (text) => new TextEncoder().encode(text),
);

type Headers = Parameters<typeof codec.encode>[0]["headers"];

/** A frame as AWS's own encoder makes it. */
export function frame(headers: Headers, payload: unknown = ""): Uint8Array<ArrayBuffer> {
  const text = payload === "" ? "" : JSON.stringify(payload);
  return new Uint8Array(codec.encode({ headers, body: new TextEncoder().encode(text) }));
}

export function text(value: string) {
  return { type: "string", value } as const;
}

/** A frame with one of the vendor's events, as InvokeModel sends it. */
export function chunkFrame(event: Readonly<Record<string, unknown>>): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(JSON.stringify(event)).toBase64();
  return frame({
    ":event-type": text("chunk"),
    ":content-type": text("application/json"),
    ":message-type": text("event"),
  }, { bytes, p: "abcdefghij" });
}

export function exceptionFrame(exception: string, message: string): Uint8Array<ArrayBuffer> {
  return frame({
    ":exception-type": text(exception),
    ":content-type": text("application/json"),
    ":message-type": text("exception"),
  }, { message });
}

/** A whole answer in events of the vendor, the last with what Bedrock adds. */
export const answerEvents: readonly Readonly<Record<string, unknown>>[] = [
  {
    type: "message_start",
    message: {
      id: "msg_bdrk_1",
      type: "message",
      role: "assistant",
      model: "claude-opus-5",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 12, output_tokens: 1, inference_geo: "not_available" },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello – “you”" } },
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 5 },
  },
  {
    type: "message_stop",
    "amazon-bedrock-invocationMetrics": { inputTokenCount: 12, outputTokenCount: 5 },
  },
];

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
