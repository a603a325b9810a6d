import type { Format } from "../formats.ts";

/** An upstream's stream: events before the text, events of text in turn, and events after it. */
export interface StreamTexts {
  readonly opening: readonly string[];
  /** Two, because LiteLLM ends a stream that repeats one event 100 times. */
  readonly events: readonly [string, string];
  readonly closing: readonly string[];
}

interface Answers {
  whole(text: string): unknown;
  readonly stream: StreamTexts;
}

const model = "bench";
const words = ["some words ", "more words "] as const;
const [word] = words;
const promptTokens = 20;
const outputTokens = 80;
const place = { item_id: "msg_bench", output_index: 0, content_index: 0 };

const chatUsage = {
  prompt_tokens: promptTokens,
  completion_tokens: outputTokens,
  total_tokens: promptTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
};
const messagesUsage = { input_tokens: promptTokens, output_tokens: outputTokens };
const responsesUsage = {
  ...messagesUsage,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: promptTokens + outputTokens,
};
const generateUsage = {
  promptTokenCount: promptTokens,
  candidatesTokenCount: outputTokens,
  totalTokenCount: promptTokens + outputTokens,
};

/** Minimal answers in each vendor's form, with usage. */
export const answersOf: Readonly<Record<Format, Answers>> = {
  "chat-completions": {
    whole: (content) => ({
      ...chatObject("chat.completion"),
      choices: [{
        index: 0,
        message: { role: "assistant", content, refusal: null },
        logprobs: null,
        finish_reason: "stop",
      }],
      usage: chatUsage,
    }),
    stream: {
      opening: [chatChunk({ role: "assistant", content: "" }, null)],
      events: inTurn((content) => chatChunk({ content }, null)),
      closing: [
        chatChunk({}, "stop"),
        data({ ...chatObject("chat.completion.chunk"), choices: [], usage: chatUsage }),
        "data: [DONE]\n\n",
      ],
    },
  },
  messages: {
    whole: (text) => ({
      ...message([{ type: "text", text }]),
      stop_reason: "end_turn",
      usage: messagesUsage,
    }),
    stream: {
      opening: [
        named("message_start", { message: message([]) }),
        named("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      ],
      events: inTurn((text) =>
        named("content_block_delta", { index: 0, delta: { type: "text_delta", text } })
      ),
      closing: [
        named("content_block_stop", { index: 0 }),
        named("message_delta", {
          delta: { stop_reason: "end_turn", stop_sequence: null },
          usage: messagesUsage,
        }),
        named("message_stop", {}),
      ],
    },
  },
  responses: {
    whole: (text) => response("completed", text),
    stream: {
      opening: [
        named("response.created", { response: response("in_progress") }),
        named("response.output_item.added", { output_index: 0, item: item("in_progress") }),
        named("response.content_part.added", { ...place, part: part("") }),
      ],
      events: inTurn((delta) =>
        named("response.output_text.delta", { ...place, delta, logprobs: [] })
      ),
      closing: [
        named("response.output_text.done", { ...place, text: word, logprobs: [] }),
        named("response.content_part.done", { ...place, part: part(word) }),
        named("response.output_item.done", { output_index: 0, item: item("completed", word) }),
        named("response.completed", { response: response("completed", word) }),
      ],
    },
  },
  "generate-content": {
    whole: (text) => generated(text, "STOP"),
    stream: {
      opening: [],
      events: inTurn((text) => data(generated(text))),
      closing: [data(generated(word, "STOP"))],
    },
  },
};

function inTurn(eventOf: (text: string) => string): [string, string] {
  return [eventOf(words[0]), eventOf(words[1])];
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function named(type: string, fields: object): string {
  return `event: ${type}\n${data({ type, sequence_number: 0, ...fields })}`;
}

function chatObject(object: string) {
  return { id: "chatcmpl-bench", object, created: 1_763_000_000, model };
}

function chatChunk(delta: unknown, finish: string | null): string {
  return data({
    ...chatObject("chat.completion.chunk"),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });
}

function message(content: readonly unknown[]) {
  return {
    id: "msg_bench",
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: null,
    stop_sequence: null,
    usage: { ...messagesUsage, output_tokens: 1 },
  };
}

function part(text: string) {
  return { type: "output_text", annotations: [], logprobs: [], text };
}

function item(status: string, text?: string) {
  const content = text === undefined ? [] : [part(text)];
  return { id: "msg_bench", type: "message", status, role: "assistant", content };
}

function response(status: string, text?: string) {
  return {
    id: "resp_bench",
    object: "response",
    created_at: 1_763_000_000,
    status,
    error: null,
    incomplete_details: null,
    model,
    output: text === undefined ? [] : [item(status, text)],
    usage: text === undefined ? null : responsesUsage,
  };
}

function generated(text: string, finishReason?: string) {
  const content = { role: "model", parts: [{ text }] };
  return {
    candidates: [{ content, ...finishReason && { finishReason }, index: 0 }],
    usageMetadata: generateUsage,
    modelVersion: model,
    responseId: "bench",
  };
}
