import { assertEquals, assertThrows } from "@std/assert";
import { type FormatName, GatewayError, type JsonObject } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";

/** Whole answers of each format without content, and short ones with some. */
const wholes: Readonly<
  Record<
    FormatName,
    { readonly empty: readonly JsonObject[]; readonly short: readonly JsonObject[] }
  >
> = {
  "chat-completions": {
    empty: [
      {},
      { choices: [] },
      { choices: [{ message: { role: "assistant", content: "" } }] },
      { choices: [{ message: { role: "assistant", content: null }, finish_reason: null }] },
    ],
    short: [
      { choices: [{ message: { content: "" }, finish_reason: "stop" }] },
      { choices: [{ message: { content: "!" } }] },
      {
        choices: [{ message: { content: "" } }],
        usage: { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 },
      },
    ],
  },
  responses: {
    empty: [
      {},
      { output: [] },
      { output: [], status: "queued" },
      { output: [], status: "in_progress", usage: { input_tokens: 3, output_tokens: 0 } },
    ],
    short: [
      { output: [], status: "completed" },
      { output: [], usage: { input_tokens: 3, output_tokens: 0, total_tokens: 3 } },
    ],
  },
  messages: {
    empty: [
      {},
      { content: [] },
      { content: [], stop_reason: null },
      { content: [{ type: "text", text: "" }], stop_reason: null },
    ],
    short: [
      { content: [], stop_reason: "end_turn" },
      { content: [{ type: "text", text: "!" }] },
      { content: [], usage: { input_tokens: 3, output_tokens: 0 } },
    ],
  },
  "generate-content": {
    empty: [{}, { candidates: [] }, { candidates: [{}] }, {
      candidates: [{ content: { parts: [] } }],
    }],
    short: [
      { candidates: [{ finishReason: "STOP" }] },
      { promptFeedback: { blockReason: "SAFETY" } },
      { candidates: [{}], usageMetadata: { promptTokenCount: 3 } },
      { candidates: [{ content: { parts: [{ text: "!" }] } }] },
    ],
  },
};

for (const [format, { empty, short }] of Object.entries(wholes)) {
  const { decodeResponse } = codecs[format as FormatName]; // the table's own keys
  for (const body of empty) {
    Deno.test(`empty answer, ${format}: ${JSON.stringify(body)} is none`, () => {
      const error = assertThrows(() => decodeResponse(body), GatewayError);
      assertEquals(error.code, "upstream_invalid_response");
    });
  }
  for (const body of short) {
    Deno.test(`empty answer, ${format}: ${JSON.stringify(body)} is one, if short`, () => {
      decodeResponse(body);
    });
  }
}

const streams: readonly {
  readonly format: FormatName;
  readonly events: readonly (JsonObject | "[DONE]")[];
  readonly ends: "end" | "error";
}[] = [
  { format: "chat-completions", events: ["[DONE]"], ends: "error" },
  {
    format: "chat-completions",
    events: [{ choices: [{ index: 0, delta: { role: "assistant" } }] }, "[DONE]"],
    ends: "error",
  },
  {
    format: "chat-completions",
    events: [{ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }, "[DONE]"],
    ends: "end",
  },
  { format: "messages", events: [{ type: "message_stop" }], ends: "error" },
  {
    format: "messages",
    events: [{ type: "message_start", message: { id: "m" } }, { type: "message_stop" }],
    ends: "error",
  },
  {
    format: "messages",
    events: [
      { type: "message_start", message: { id: "m" } },
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
      { type: "message_stop" },
    ],
    ends: "end",
  },
  { format: "generate-content", events: [{ candidates: [{}] }], ends: "error" },
  { format: "generate-content", events: [{ candidates: [{ finishReason: "STOP" }] }], ends: "end" },
  { format: "responses", events: [{ type: "response.created", response: {} }], ends: "error" },
  {
    format: "responses",
    events: [{ type: "response.completed", response: { output: [], status: "completed" } }],
    ends: "end",
  },
];

for (const { format, events, ends } of streams) {
  Deno.test(`empty answer, ${format}: the stream ${JSON.stringify(events)} ends in ${ends}`, () => {
    const decoder = codecs[format].eventDecoder();
    const decoded = [...events.flatMap((event) => decoder.push(framed(event))), ...decoder.end()];
    assertEquals(decoded.at(-1)?.type, ends);
  });
}

function framed(event: JsonObject | "[DONE]"): ServerSentEvent {
  if (event === "[DONE]") return { data: event };
  const { type } = event;
  return { ...(typeof type === "string" && { event: type }), data: JSON.stringify(event) };
}
