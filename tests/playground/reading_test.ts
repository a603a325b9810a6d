import { assertEquals, assertRejects } from "@std/assert";
import type { PartialAnswer, PlaygroundFormat } from "../../lib/playground/mod.ts";
import { answerIn, streamOf } from "./streams.ts";

interface Case {
  readonly name: string;
  readonly format: PlaygroundFormat;
  readonly events: readonly unknown[];
  readonly expected: Partial<PartialAnswer>;
}

const chunk = (delta: unknown, finish_reason: string | null = null) => ({
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason }],
});
const candidate = (parts: unknown[], finishReason?: string) => ({
  candidates: [{ content: { role: "model", parts }, ...(finishReason && { finishReason }) }],
});

const cases: readonly Case[] = [
  {
    name: "chat-completions: text",
    format: "chat-completions",
    events: [
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "Grüß " }),
      chunk({ content: "Gott 🌍" }),
      chunk({}, "stop"),
      { object: "chat.completion.chunk", choices: [], usage: { prompt_tokens: 1 } },
    ],
    expected: { text: "Grüß Gott 🌍", finish: "stop" },
  },
  {
    name: "chat-completions: reasoning, then two calls whose arguments come in turns",
    format: "chat-completions",
    events: [
      chunk({ role: "assistant", reasoning_content: "First " }),
      chunk({ reasoning_content: "think." }),
      chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "one", arguments: "" } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"x":' } }] }),
      chunk({ tool_calls: [{ index: 1, id: "b", function: { name: "two", arguments: "{}" } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: "1}" } }] }),
      chunk({}, "tool_calls"),
    ],
    expected: {
      reasoning: "First think.",
      finish: "tool_calls",
      calls: [
        { place: 0, id: "a", name: "one", json: '{"x":1}' },
        { place: 1, id: "b", name: "two", json: "{}" },
      ],
    },
  },
  {
    name: "chat-completions: images, but none of another kind",
    format: "chat-completions",
    events: [
      chunk({
        images: [
          "data:image/png;base64,AAAA",
          "data:image/svg+xml;base64,AAAA",
          "https://x.example",
        ]
          .map((url) => ({ type: "image_url", image_url: { url } })),
      }),
      chunk({}, "stop"),
    ],
    expected: { images: [{ mediaType: "image/png", base64: "AAAA" }], finish: "stop" },
  },
  {
    name: "generate-content: an image",
    format: "generate-content",
    events: [candidate([{ inlineData: { mimeType: "image/webp", data: "AAAA" } }], "STOP")],
    expected: { images: [{ mediaType: "image/webp", base64: "AAAA" }], finish: "STOP" },
  },
  {
    name: "responses: an image of the built-in tool",
    format: "responses",
    events: [
      {
        type: "response.output_item.done",
        output_index: 0,
        item: { type: "image_generation_call", output_format: "jpeg", result: "AAAA" },
      },
      { type: "response.completed", response: { status: "completed" } },
    ],
    expected: { images: [{ mediaType: "image/jpeg", base64: "AAAA" }], finish: "completed" },
  },
  {
    name: "chat-completions: an error in mid-stream",
    format: "chat-completions",
    events: [
      chunk({ content: "Half" }),
      { error: { message: "It broke", type: "upstream_error", code: "upstream_error" } },
    ],
    expected: { text: "Half", problem: { code: "upstream_error", message: "It broke" } },
  },
  {
    name: "responses: reasoning and text",
    format: "responses",
    events: [
      { type: "response.created", response: { status: "in_progress" } },
      { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "Hm." },
      { type: "response.output_text.delta", output_index: 1, delta: "Yes" },
      { type: "response.output_text.delta", output_index: 1, delta: "." },
      { type: "response.completed", response: { status: "completed", output: [] } },
    ],
    expected: { reasoning: "Hm.", text: "Yes.", finish: "completed" },
  },
  {
    name: "responses: a call, whose arguments come in pieces and once more at its end",
    format: "responses",
    events: [
      {
        type: "response.output_item.added",
        output_index: 2,
        item: { type: "function_call", call_id: "c", name: "look", arguments: "" },
      },
      { type: "response.function_call_arguments.delta", output_index: 2, delta: '{"at":' },
      { type: "response.function_call_arguments.delta", output_index: 2, delta: "2}" },
      {
        type: "response.output_item.done",
        output_index: 2,
        item: { type: "function_call", call_id: "c", name: "look", arguments: '{"at":2}' },
      },
      { type: "response.completed", response: { status: "completed" } },
    ],
    expected: {
      finish: "completed",
      calls: [{ place: 2, id: "c", name: "look", json: '{"at":2}' }],
    },
  },
  {
    name: "responses: an answer that was cut at its bound",
    format: "responses",
    events: [
      { type: "response.output_text.delta", output_index: 0, delta: "Long" },
      {
        type: "response.incomplete",
        response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      },
    ],
    expected: { text: "Long", finish: "max_output_tokens" },
  },
  {
    name: "responses: a failure in mid-stream",
    format: "responses",
    events: [
      { type: "response.output_text.delta", output_index: 0, delta: "Half" },
      {
        type: "response.failed",
        response: { status: "failed", error: { code: "upstream_error", message: "It broke" } },
      },
    ],
    expected: { text: "Half", problem: { code: "upstream_error", message: "It broke" } },
  },
  {
    name: "messages: thinking with its seal, text and a call",
    format: "messages",
    events: [
      { type: "message_start", message: { content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "thinking_delta", thinking: "Hm." },
      },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "signature_delta", signature: "seal" },
      },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Look:" } },
      {
        type: "content_block_start",
        index: 2,
        content_block: { type: "tool_use", id: "t", name: "look", input: {} },
      },
      {
        type: "content_block_delta",
        index: 2,
        delta: { type: "input_json_delta", partial_json: '{"at":1}' },
      },
      { type: "message_delta", delta: { stop_reason: "tool_use" } },
      { type: "message_stop" },
    ],
    expected: {
      reasoning: "Hm.",
      proofs: ["seal"],
      text: "Look:",
      finish: "tool_use",
      calls: [{ place: 2, id: "t", name: "look", json: '{"at":1}' }],
    },
  },
  {
    name: "messages: an error in mid-stream",
    format: "messages",
    events: [
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Half" } },
      { type: "error", error: { type: "overloaded_error", message: "Too busy" } },
    ],
    expected: { text: "Half", problem: { code: "overloaded_error", message: "Too busy" } },
  },
  {
    name: "generate-content: thoughts, text and calls that come whole, one without an id",
    format: "generate-content",
    events: [
      candidate([{ text: "Hm.", thought: true }]),
      candidate([{ text: "Look:" }]),
      candidate([
        { functionCall: { id: "g", name: "look", args: { at: 1 } }, thoughtSignature: "seal" },
        { functionCall: { name: "stop" } },
      ], "STOP"),
    ],
    expected: {
      reasoning: "Hm.",
      text: "Look:",
      finish: "STOP",
      calls: [
        { id: "g", name: "look", json: '{"at":1}', proof: "seal" },
        { id: "call_2", name: "stop", json: "{}" },
      ],
    },
  },
  {
    name: "generate-content: a prompt that was blocked",
    format: "generate-content",
    events: [{ promptFeedback: { blockReason: "SAFETY" } }],
    expected: { finish: "SAFETY" },
  },
  {
    name: "generate-content: an error in mid-stream",
    format: "generate-content",
    events: [
      candidate([{ text: "Half" }]),
      { error: { code: 503, message: "It broke", status: "UNAVAILABLE" } },
    ],
    expected: { text: "Half", problem: { code: "UNAVAILABLE", message: "It broke" } },
  },
];

const nothing: PartialAnswer = { reasoning: "", proofs: [], text: "", images: [], calls: [] };
for (const { name, format, events, expected } of cases) {
  for (const chunkBytes of [1, 7, Infinity]) {
    Deno.test(`reading ${name}, ${chunkBytes} bytes at once`, async () => {
      const answer = await answerIn(streamOf(events, chunkBytes), format);
      assertEquals(answer, { ...nothing, ...expected });
    });
  }
}

for (const format of ["chat-completions", "responses", "messages", "generate-content"] as const) {
  Deno.test(`reading ${format}: events that mean nothing add nothing`, async () => {
    const events = [null, 1, "text", [], {}, { type: 7, choices: "no", candidates: [null] }];
    assertEquals(await answerIn(streamOf(events), format), nothing);
  });
}

for (const said of [[{ text: "Once" }], [{ text: "Once" }, { error: { message: "Overloaded" } }]]) {
  const fails = said.length > 1;
  Deno.test(`a connection that breaks off ${fails ? "behind the answer's error says nothing more" : "before the answer ends throws"}`, async () => {
    const events = said.map(({ text, error }) => error ? { error } : candidate([{ text }]));
    const waiting = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const next = waiting.shift();
        if (next !== undefined) controller.enqueue(new TextEncoder().encode(next));
        else controller.error(new Error("connection reset"));
      },
    }, { highWaterMark: 0 });
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    const reading = answerIn(response, "generate-content");
    if (!fails) return void await assertRejects(() => reading, Error, "connection reset");
    assertEquals(JSON.stringify(await reading).includes("Overloaded"), true);
  });
}
