import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type CanonicalEvent,
  type Delivered,
  DeliveryReader,
  eventsOf,
  type FormatName,
  formatNames,
  isJsonObject,
} from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { contextOf, decoded, encoded } from "../codec_suite.ts";
import { eventsOfRecorded, recordedCases } from "../recorded_wire.ts";
import { oddAnswer, plainAnswer } from "./arbitrary.ts";

/** Content delivered according to the usage reader of a stream, and according to its decoder. */

function deliveredIn(format: FormatName, events: readonly ServerSentEvent[]): Delivered {
  const usageReader = codecs[format].usageReader.stream();
  for (const event of events) {
    usageReader.push(event);
    usageReader.sent(event);
  }
  return usageReader.delivered;
}

function followed(events: Iterable<CanonicalEvent>): Delivered {
  const reader = new DeliveryReader();
  for (const event of events) reader.push(event);
  reader.sent();
  return reader.delivered;
}

/** Normalises: decoders put blank lines between pieces and `{}` into empty calls, and may reorder parts. */
function essence({ answer, reasoning, begun }: Delivered) {
  const signs = (text: string) => [...text.replace(/\s|\{\}/g, "")].sort().join("");
  return { answer: signs(answer.text()), reasoning: signs(reasoning.text()), begun };
}

const anyAnswer = fc.oneof(plainAnswer, oddAnswer);

for (const format of formatNames) {
  Deno.test(`delivered law ${format}: the usage reader of a stream sees what its decoding gives`, () => {
    fc.assert(fc.property(anyAnswer, (answer) => {
      const events = encoded(codecs[format], eventsOf(answer), contextOf({}));
      const decoding = followed(decoded(codecs[format], events));
      assertEquals(essence(deliveredIn(format, events)), essence(decoding));
    }));
  });
}

/** Calls of hosted tools: their arguments were sent, too, but are no text in canonical form. */
const ownTools = new Set(["responsesToolSearchInputParam", "webSearchToolParam"]);

for (const [name, recorded] of recordedCases()) {
  Deno.test(`delivered of recorded ${name}: the usage reader sees what the decoding gives`, () => {
    for (const format of formatNames) {
      if (format === "messages" && ownTools.has(name)) continue;
      for (const file of ["response-streaming", "followup-response-streaming"]) {
        const stream = recorded[format]?.files[file];
        if (!Array.isArray(stream)) continue;
        const events = eventsOfRecorded(format, stream.filter(isJsonObject));
        const decoding = followed(decoded(codecs[format], events));
        assertEquals(essence(deliveredIn(format, events)), essence(decoding), `${format} ${file}`);
      }
    }
  });
}

const chunk = (delta: unknown, rest = ""): ServerSentEvent => ({
  data:
    `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":${
      typeof delta === "string" ? delta : JSON.stringify(delta)
    },"finish_reason":null}]${rest}}`,
});
const block = (type: string, members: unknown): ServerSentEvent => ({
  event: type,
  data: JSON.stringify({ type, index: 0, ...Object(members) }),
});
const item = (type: string, members: unknown, named = true): ServerSentEvent => ({
  ...(named && { event: type }),
  data: JSON.stringify({ type, output_index: 0, ...Object(members) }),
});
const candidates = (...all: unknown[][]): ServerSentEvent => ({
  data: JSON.stringify({
    candidates: all.map((parts, index) => ({ content: { role: "model", parts }, index })),
    usageMetadata: { promptTokenCount: 1 },
  }),
});
const call = (name: string | undefined, text: string, index = 0) => ({
  tool_calls: [{ index, ...(name && { id: "a" }), function: { name, arguments: text } }],
});

interface Case {
  readonly name: string;
  readonly format: FormatName;
  readonly events: readonly ServerSentEvent[];
  readonly answer?: string;
  readonly reasoning?: string;
  readonly begun?: boolean;
}

const cases: readonly Case[] = [
  {
    name: "text with escapes",
    format: "chat-completions",
    events: [chunk({ content: 'a "b"\n\\' }), chunk({ content: "é\u2028😀" })],
    answer: 'a "b"\n\\é\u2028😀',
  },
  {
    name: "text in ASCII alone, with blank space between the members",
    format: "chat-completions",
    events: [chunk('{ "role" : "assistant" , "content" : "\\u4e2d\\u6587" }')],
    answer: "中文",
  },
  {
    name: "text that looks like a member",
    format: "chat-completions",
    events: [chunk({ content: '"delta":{"content":"x"}' })],
    answer: '"delta":{"content":"x"}',
  },
  {
    name: "several choices in one chunk",
    format: "chat-completions",
    events: [{
      data: JSON.stringify({
        choices: [0, 1].map((index) => ({ index, delta: { content: `${index}` } })),
      }),
    }],
    answer: "01",
  },
  {
    name: "reasoning beside an empty content",
    format: "chat-completions",
    events: [chunk({ content: "", reasoning_content: "Hm" }), chunk({ reasoning: "!" })],
    reasoning: "Hm!",
  },
  {
    name: "reasoning and its details, which say it once more",
    format: "chat-completions",
    events: [
      chunk({ reasoning: "Hm", reasoning_details: [{ type: "reasoning.text", text: "Hm" }] }),
      chunk({ reasoning_details: [{ type: "reasoning.text", text: "Hm" }] }),
    ],
    reasoning: "Hm",
  },
  {
    name: "calls whose name is repeated",
    format: "chat-completions",
    events: [
      chunk(call("get", "")),
      chunk(call("get", '{"a":')),
      chunk(call(undefined, "1}")),
      chunk(call("put", "{}", 1)),
    ],
    answer: 'get{"a":1}put{}',
  },
  {
    name: "a refusal",
    format: "chat-completions",
    events: [chunk({ refusal: "No" })],
    answer: "No",
  },
  {
    name: "a transcript",
    format: "chat-completions",
    events: [chunk({ audio: { data: "AAAA", transcript: "Hi" } })],
    answer: "Hi",
  },
  {
    name: "events without content",
    format: "chat-completions",
    events: [
      chunk({ role: "assistant", content: "" }),
      { data: '{"choices":[],"usage":{"prompt_tokens":1}}' },
      { data: '{"error":{"message":"the delta \\"content\\" broke"}}' },
      { data: "[DONE]" },
    ],
    begun: false,
  },
  {
    name: "log probabilities beside the text",
    format: "chat-completions",
    events: [{
      data:
        '{"choices":[{"index":0,"delta":{"content":"Hi"},"logprobs":{"content":[{"token":"Hi"}]}}]}',
    }],
    answer: "Hi",
  },
  {
    name: "a broken chunk",
    format: "chat-completions",
    events: [{ data: '{"choices":[{"delta":{"content":"torn' }],
    begun: false,
  },
  {
    name: "text, thinking and a call's arguments",
    format: "messages",
    events: [
      block("content_block_delta", { delta: { type: "thinking_delta", thinking: "Hm" } }),
      block("content_block_delta", { delta: { type: "text_delta", text: "A\tb" } }),
      block("content_block_start", { content_block: { type: "tool_use", name: "get", input: {} } }),
      block("content_block_delta", { delta: { type: "input_json_delta", partial_json: "{}" } }),
    ],
    answer: "A\tbget{}",
    reasoning: "Hm",
  },
  {
    name: "events without content",
    format: "messages",
    events: [
      block("message_start", { message: { content: [], usage: { output_tokens: 1 } } }),
      block("ping", {}),
      block("content_block_start", { content_block: { type: "text", text: "" } }),
      block("content_block_delta", { delta: { type: "signature_delta", signature: "x" } }),
      block("error", { error: { type: "api_error", message: "content_block_delta" } }),
    ],
    begun: false,
  },
  {
    name: "thinking that only its vendor reads",
    format: "messages",
    events: [block("content_block_start", { content_block: { type: "redacted_thinking" } })],
    begun: true,
  },
  {
    name: "deltas without an event's name",
    format: "messages",
    events: [{ data: '{"type":"content_block_delta","delta":{"type":"text_delta","text":"Hi"} }' }],
    answer: "Hi",
  },
  {
    name: "deltas of every kind",
    format: "responses",
    events: [
      item("response.reasoning_summary_text.delta", { delta: "Hm" }),
      item("response.output_text.delta", { delta: "A\n", logprobs: [], obfuscation: "x" }),
      item("response.output_text.done", { text: "A\n" }),
      item("response.output_item.added", { item: { type: "function_call", name: "get" } }),
      item("response.function_call_arguments.delta", { delta: "{}" }),
      item("response.function_call_arguments.done", { arguments: "{}" }),
      item("response.output_item.done", { item: { type: "function_call", arguments: "{}" } }),
    ],
    answer: "A\nget{}",
    reasoning: "Hm",
  },
  {
    name: "deltas without an event's name",
    format: "responses",
    events: [item("response.output_text.delta", { delta: "Hi" }, false)],
    answer: "Hi",
  },
  {
    name: "items that come whole",
    format: "responses",
    events: [
      item("response.output_item.added", { item: { type: "function_call", name: "get" } }),
      item("response.output_item.done", { item: { type: "function_call", arguments: '{"a":1}' } }),
      item("response.output_item.added", { item: { type: "message" } }),
      item("response.output_item.done", {
        item: { type: "message", content: [{ type: "output_text", text: "Hi" }] },
      }),
    ],
    answer: 'get{"a":1}Hi',
  },
  {
    name: "an answer that was never streamed",
    format: "responses",
    events: [item("response.completed", {
      response: { output: [{ type: "message", content: [{ type: "output_text", text: "Hi" }] }] },
    })],
    answer: "Hi",
  },
  {
    name: "events without content",
    format: "responses",
    events: [
      item("response.created", { response: { output: [] } }),
      item("response.output_item.added", { item: { type: "message", content: [] } }),
      item("response.output_item.done", { item: { type: "message", content: [] } }),
      item("error", { message: "response.output_text.delta" }),
      item("response.failed", { response: { output: [], error: { message: "delta" } } }),
    ],
    begun: false,
  },
  {
    name: "text and thoughts",
    format: "generate-content",
    events: [
      candidates([{ text: "Hm", thought: true }]),
      candidates([{ text: "A\n" }]),
      candidates([{ text: "B", thoughtSignature: "s" }, { text: "C" }]),
      candidates([{ text: "D" }], [{ text: "E" }]),
    ],
    answer: "A\nBCDE",
    reasoning: "Hm",
  },
  {
    name: "calls, whole and value by value",
    format: "generate-content",
    events: [
      candidates([{ functionCall: { name: "get", args: { a: 1 } } }]),
      candidates([{ functionCall: { name: "put", willContinue: true } }]),
      candidates([{ functionCall: { partialArgs: [{ jsonPath: "$.a", stringValue: "x" }] } }]),
    ],
    answer: 'get{"a":1}putx',
  },
  {
    name: "a picture",
    format: "generate-content",
    events: [candidates([{ inlineData: { mimeType: "image/png", data: "AAAA" } }])],
    begun: true,
  },
  {
    name: "sources that repeat the text",
    format: "generate-content",
    events: [{
      data:
        '{"candidates":[{"content":{"parts":[{"text":"Hi"}]},"groundingMetadata":{"groundingSupports":[{"segment":{"text":"Hi"}}]}}]}',
    }],
    answer: "Hi",
  },
  {
    name: "events without content",
    format: "generate-content",
    events: [
      { data: '{"usageMetadata":{"promptTokenCount":1}}' },
      candidates([{ text: "" }]),
      { data: '{"error":{"code":503,"message":"no \\"parts\\" left"}}' },
    ],
    begun: false,
  },
];

for (const { name, format, events, answer = "", reasoning = "", begun } of cases) {
  Deno.test(`delivered ${format}: ${name}`, () => {
    const delivered = deliveredIn(format, events);
    assertEquals([delivered.answer.text(), delivered.reasoning.text()], [answer, reasoning]);
    assertEquals(delivered.begun, begun ?? true);
    assertEquals(delivered.chars, answer.length + reasoning.length);
  });
}
