import type { FormatName } from "../../../lib/canonical/mod.ts";
import { messagesAnswer } from "../../formats/whole_answer.ts";

/** The requests and stream events of a format, for callers and upstreams. */
export interface Speech {
  readonly path: string;
  readonly wholePath: string;
  readonly request: (text: string, stream: boolean) => unknown;
  /** The events before any content, with the input tokens if the format states them there. */
  readonly opening: readonly string[];
  readonly delta: (text: string) => string;
  /** An error in mid-stream. */
  readonly error: (message: string) => string;
  readonly closing: readonly string[];
  /** A whole answer, without usage. */
  readonly whole: (text: string) => unknown;
}

/** The input tokens in `opening`, in formats that state them there. */
export const statedInput = 7;

const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const named = (type: string, members: unknown) =>
  `event: ${type}\n${event({ type, ...Object(members) })}`;
const chunk = (delta: unknown, finish: string | null = null) =>
  event({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
const candidate = (text: string, rest: unknown = {}) =>
  event({
    candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0, ...Object(rest) }],
    usageMetadata: { promptTokenCount: statedInput, totalTokenCount: statedInput },
  });
const item = { id: "msg_1", type: "message", role: "assistant" };
const response = { id: "resp_1", object: "response", created_at: 1, model: "m" };
const said = (text: string) => [{ type: "output_text", text, annotations: [] }];

export const speeches: Readonly<Record<FormatName, Speech>> = {
  "chat-completions": {
    path: "/v1/chat/completions",
    wholePath: "/v1/chat/completions",
    request: (text, stream) => ({
      model: "m",
      stream,
      messages: [{ role: "user", content: text }],
    }),
    opening: [chunk({ role: "assistant", content: "" })],
    delta: (content) => chunk({ content }),
    error: (message) => event({ error: { message, type: "server_error", code: "server_error" } }),
    closing: [chunk({}, "stop"), "data: [DONE]\n\n"],
    whole: (content) => ({
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    }),
  },
  responses: {
    path: "/v1/responses",
    wholePath: "/v1/responses",
    request: (input, stream) => ({ model: "m", stream, input }),
    opening: [
      named("response.created", {
        response: { ...response, status: "in_progress", output: [], usage: null },
      }),
      named("response.output_item.added", {
        output_index: 0,
        item: { ...item, status: "in_progress", content: [] },
      }),
      named("response.content_part.added", {
        output_index: 0,
        content_index: 0,
        item_id: "msg_1",
        part: said("")[0],
      }),
    ],
    delta: (delta) =>
      named("response.output_text.delta", {
        output_index: 0,
        content_index: 0,
        item_id: "msg_1",
        delta,
      }),
    error: (message) => named("error", { message, code: "server_error", param: null }),
    closing: [named("response.completed", {
      response: { ...response, status: "completed", output: [] },
    })],
    whole: (text) => ({
      ...response,
      status: "completed",
      output: [{ ...item, status: "completed", content: said(text) }],
    }),
  },
  messages: {
    path: "/v1/messages",
    wholePath: "/v1/messages",
    request: (text, stream) => ({
      model: "m",
      stream,
      max_tokens: 500,
      messages: [{ role: "user", content: text }],
    }),
    opening: [
      named("message_start", {
        message: messagesAnswer({
          content: [],
          stop_reason: null,
          usage: { input_tokens: statedInput, output_tokens: 1 },
        }),
      }),
      named("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    ],
    delta: (text) =>
      named("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
    error: (message) => named("error", { error: { type: "api_error", message } }),
    closing: [
      named("content_block_stop", { index: 0 }),
      named("message_delta", { delta: { stop_reason: "end_turn" }, usage: {} }),
      named("message_stop", {}),
    ],
    whole: (text) => ({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
    }),
  },
  "generate-content": {
    path: "/v1beta/models/m:streamGenerateContent?alt=sse",
    wholePath: "/v1beta/models/m:generateContent",
    request: (text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
    opening: [event({
      candidates: [{ content: { role: "model", parts: [{ text: "" }] }, index: 0 }],
      usageMetadata: { promptTokenCount: statedInput, totalTokenCount: statedInput },
    })],
    delta: (text) => candidate(text),
    error: (message) => event({ error: { code: 500, message, status: "INTERNAL" } }),
    closing: [candidate("", { finishReason: "STOP" })],
    whole: (text) => ({
      candidates: [{
        content: { role: "model", parts: [{ text }] },
        finishReason: "STOP",
        index: 0,
      }],
      modelVersion: "m",
    }),
  },
};
