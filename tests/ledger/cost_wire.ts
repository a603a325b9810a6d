import type { FormatName, JsonObject } from "../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../lib/formats/wire.ts";

/** Answers of one word in each format, whole and streamed, with usage in wire form. */

/** The contents of an answer in its format's own terms. */
export interface WireAnswer {
  readonly usage: JsonObject;
  /** Items before the message (responses), or members of the candidate (generate-content). */
  readonly output?: readonly JsonObject[];
  readonly candidate?: JsonObject;
  /** Members beside the usage. */
  readonly beside?: JsonObject;
  /** The usage at the start of a stream that reports it twice (messages). */
  readonly opening?: JsonObject;
}

interface WireFormat {
  readonly whole: (answer: WireAnswer) => JsonObject;
  readonly stream: (answer: WireAnswer) => readonly ServerSentEvent[];
}

function data(value: JsonObject): ServerSentEvent {
  return { data: JSON.stringify(value) };
}

function named(value: JsonObject): ServerSentEvent {
  return { event: String(value.type), ...data(value) };
}

const chatHead = { id: "c1", created: 1, model: "up" };
const message = { id: "msg_1", type: "message", role: "assistant", model: "up" };
const item = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Hi", annotations: [] }],
};

export const wireFormats: Readonly<Record<FormatName, WireFormat>> = {
  "chat-completions": {
    whole: ({ usage, beside }) => ({
      ...chatHead,
      ...beside,
      object: "chat.completion",
      choices: [{
        index: 0,
        message: { role: "assistant", content: "Hi" },
        finish_reason: "stop",
      }],
      usage,
    }),
    stream: ({ usage, beside }) => [
      data({
        ...chunk({ delta: { role: "assistant", content: "Hi" }, finish_reason: null }),
        ...beside,
      }),
      data(chunk({ delta: {}, finish_reason: "stop" })),
      data({ ...chatHead, object: "chat.completion.chunk", choices: [], usage }),
      { data: "[DONE]" },
    ],
  },
  messages: {
    whole: ({ usage }) => ({
      ...message,
      content: [{ type: "text", text: "Hi" }],
      stop_reason: "end_turn",
      usage,
    }),
    stream: ({ usage, opening }) => [
      named({
        type: "message_start",
        message: { ...message, content: [], stop_reason: null, usage: opening ?? usage },
      }),
      named({
        type: "content_block_start",
        index: 0,
        content_block: { type: "text", text: "" },
      }),
      named({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: "Hi" },
      }),
      named({ type: "content_block_stop", index: 0 }),
      named({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage }),
      named({ type: "message_stop" }),
    ],
  },
  responses: {
    whole: ({ usage, output = [], beside = {} }) => response({ usage, output, beside }),
    stream: ({ usage, output = [], beside = {} }) => [
      named({
        type: "response.created",
        response: { id: "resp_1", model: "up", status: "in_progress", output: [], usage: null },
      }),
      ...[...output, item].flatMap((one, output_index) => [
        named({ type: "response.output_item.added", output_index, item: one }),
        named({ type: "response.output_item.done", output_index, item: one }),
      ]),
      named({ type: "response.completed", response: response({ usage, output, beside }) }),
    ],
  },
  "generate-content": {
    whole: (answer) => candidateOf(answer, true),
    stream: (answer) => [
      data({
        ...candidateOf({ usage: { promptTokenCount: 7, totalTokenCount: 7 } }, false),
      }),
      data(candidateOf(answer, true)),
    ],
  },
};

function chunk(choice: JsonObject): JsonObject {
  return {
    ...chatHead,
    object: "chat.completion.chunk",
    choices: [{ index: 0, ...choice }],
    usage: null,
  };
}

function response(
  { usage, output, beside }: Required<Pick<WireAnswer, "usage" | "output" | "beside">>,
) {
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "up",
    status: "completed",
    output: [...output, item],
    usage,
    ...beside,
  };
}

function candidateOf({ usage, candidate = {} }: WireAnswer, last: boolean): JsonObject {
  return {
    candidates: [{
      content: { role: "model", parts: [{ text: "Hi" }] },
      index: 0,
      ...candidate,
      ...(last && { finishReason: "STOP" }),
    }],
    usageMetadata: usage,
    modelVersion: "up",
    responseId: "r1",
  };
}
