import { assert, assertEquals } from "@std/assert";
import {
  type CanonicalEvent,
  collect,
  type JsonObject,
  type Part,
  totalInputTokens,
} from "../../../lib/canonical/mod.ts";
import { messages } from "../../../lib/formats/messages/mod.ts";
import { assertLaws, decoded } from "../codec_suite.ts";
import { delta, eventsOf, messageStart, open, stop } from "./wire.ts";

const start = messageStart({
  usage: { input_tokens: 12, cache_read_input_tokens: 3, output_tokens: 1 },
});
const text = (index: number, text: string) => delta(index, { type: "text_delta", text });
const input = (index: number, partial_json: string) =>
  delta(index, { type: "input_json_delta", partial_json });
const call = (id: string, input: JsonObject = {}) => ({ type: "tool_use", id, name: "f", input });
const ended = (stop_reason: string, more: JsonObject = {}) => ({
  type: "message_delta",
  delta: { stop_reason, stop_sequence: null, ...more },
  usage: { output_tokens: 9 },
});
const over = { type: "message_stop" };
const emptyText = { type: "text", text: "" };

/** Quirks of streams, each with a summary of the parts and the ending. */
const cases: { name: string; stream: JsonObject[]; parts: string[]; end: string }[] = [
  {
    name: "a plain answer with pings and events nobody knows",
    stream: [
      { type: "ping" },
      start,
      { type: "future_event", index: 4 },
      open(0, emptyText),
      text(0, "Hé"),
      { type: "ping" },
      delta(0, { type: "future_delta", x: 1 }),
      text(0, "llo 😀"),
      stop(0),
      ended("end_turn"),
      over,
    ],
    parts: ["text:Héllo 😀"],
    end: "stop",
  },
  {
    name: "a call without arguments: one empty piece",
    stream: [start, open(0, call("t1")), input(0, ""), stop(0), ended("tool_use"), over],
    parts: ["call:t1:{}"],
    end: "tool-calls",
  },
  {
    name: "a call without arguments: no piece at all",
    stream: [start, open(0, call("t1")), stop(0), ended("tool_use"), over],
    parts: ["call:t1:{}"],
    end: "tool-calls",
  },
  {
    name: "whole arguments at the start",
    stream: [start, open(0, call("t1", { a: 1 })), stop(0), ended("tool_use"), over],
    parts: ['call:t1:{"a":1}'],
    end: "tool-calls",
  },
  {
    name: "calls written at the same time",
    stream: [
      start,
      open(0, call("t1")),
      input(0, '{"a"'),
      open(1, call("t2")),
      input(1, '{"b"'),
      input(0, ":1}"),
      input(1, ":2}"),
      stop(1),
      stop(0),
      ended("tool_use"),
      over,
    ],
    parts: ['call:t1:{"a":1}', 'call:t2:{"b":2}'],
    end: "tool-calls",
  },
  {
    name: "blocks that never stop",
    stream: [start, open(0, emptyText), text(0, "a"), open(1, call("t1")), ended("end_turn"), over],
    parts: ["text:a", "call:t1:{}"],
    end: "tool-calls",
  },
  {
    name: "gaps in the indices, a stop of what was never opened, two starts",
    stream: [
      start,
      start,
      stop(4),
      open(3, emptyText),
      text(3, "a"),
      stop(3),
      ended("end_turn"),
      over,
    ],
    parts: ["text:a"],
    end: "stop",
  },
  {
    name: "deltas without their block",
    stream: [
      start,
      delta(0, { type: "thinking_delta", thinking: "hm" }),
      stop(0),
      text(1, "a"),
      input(2, "{}"),
      ended("end_turn"),
      over,
    ],
    parts: ["reasoning:hm", "text:a"],
    end: "stop",
  },
  {
    name: "text that begins in the start of its block",
    stream: [
      start,
      open(0, { type: "text", text: "a" }),
      text(0, "b"),
      stop(0),
      ended("end_turn"),
      over,
    ],
    parts: ["text:ab"],
    end: "stop",
  },
  {
    name: "thinking, its signature replaced, and redacted thinking",
    stream: [
      start,
      open(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "hm" }),
      delta(0, { type: "signature_delta", signature: "s1" }),
      delta(0, { type: "signature_delta", signature: "s2" }),
      stop(0),
      open(1, { type: "redacted_thinking", data: "d" }),
      stop(1),
      open(2, { type: "thinking", thinking: "", signature: "" }),
      delta(2, { type: "signature_delta", signature: "s3" }),
      stop(2),
      ended("end_turn"),
      over,
    ],
    parts: ["reasoning:hm s2", "reasoning: d", "reasoning: s3"],
    end: "stop",
  },
  {
    name: "blocks of the vendor's own, their input and their deltas",
    stream: [
      start,
      open(0, { type: "server_tool_use", id: "s1", name: "web_search", input: {} }),
      input(0, '{"query":'),
      input(0, '"q"}'),
      stop(0),
      open(1, { type: "web_search_tool_result", tool_use_id: "s1", content: [] }),
      stop(1),
      open(2, { type: "compaction", content: null }),
      delta(2, { type: "compaction_delta", content: "short", encrypted_content: "e" }),
      stop(2),
      ended("compaction"),
      over,
    ],
    parts: [
      'native:{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"q"}}',
      'native:{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}',
      'native:{"type":"compaction","content":"short","encrypted_content":"e"}',
    ],
    end: "compaction",
  },
  {
    name: "a refusal that explains itself",
    stream: [
      start,
      ended("refusal", { stop_details: { type: "refusal", category: "cyber", explanation: "no" } }),
      over,
    ],
    parts: ["refusal:no"],
    end: "content-filter",
  },
  {
    name: "a close without message_stop after the stop reason",
    stream: [start, open(0, emptyText), text(0, "a"), ended("max_tokens")],
    parts: ["text:a"],
    end: "length",
  },
  {
    name: "a stop sequence",
    stream: [start, ended("stop_sequence", { stop_sequence: "END" }), over],
    parts: [],
    end: "stop-sequence END",
  },
  {
    name: "a reason nobody knows",
    stream: [start, ended("future_reason"), over],
    parts: [],
    end: "stop",
  },
  {
    name: "no start at all",
    stream: [open(0, emptyText), text(0, "a"), stop(0), ended("end_turn"), over, start],
    parts: ["text:a"],
    end: "stop",
  },
];

for (const { name, stream, parts, end } of cases) {
  Deno.test(`messages stream: ${name}`, () => {
    const events = decoded(messages, eventsOf(stream));
    assertLaws(events);
    const [answer] = collect(events).alternatives;
    assertEquals(answer?.parts.map(inShort), parts);
    const { finishReason, stopSequence = "" } = answer ?? {};
    assertEquals(`${finishReason} ${stopSequence}`.trim(), end);
  });
}

function inShort(part: Part): string {
  switch (part.type) {
    case "text":
    case "refusal":
      return `${part.type}:${part.text}`;
    case "reasoning":
      return `reasoning:${part.text} ${part.continuation?.data ?? ""}`.trimEnd();
    case "tool-call":
      return `call:${part.id}:${part.arguments}`;
    case "native":
      return `native:${JSON.stringify(part.value)}`;
    default:
      return part.type;
  }
}

/** Streams that end in an error, with its code. */
const failures: { name: string; stream: (JsonObject | string)[]; code: string }[] = [
  { name: "nothing", stream: [], code: "upstream_truncated" },
  { name: "a start alone", stream: [start], code: "upstream_truncated" },
  { name: "an open block", stream: [start, open(0, emptyText)], code: "upstream_truncated" },
  {
    name: "all but the reason",
    stream: [start, open(0, emptyText), text(0, "a"), stop(0)],
    code: "upstream_truncated",
  },
  { name: "invalid JSON", stream: [start, "{oops", over], code: "upstream_invalid_response" },
  { name: "a list", stream: [start, "[]", over], code: "upstream_invalid_response" },
  {
    name: "the vendor's error",
    stream: [start, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
    code: "upstream_overloaded",
  },
  {
    name: "an error of another shape",
    stream: [{ error: { message: "slow down", code: "rate_limit_error" } }],
    code: "rate_limit_exceeded",
  },
  {
    name: "an error that is a string",
    stream: [start, { type: "error", error: "boom" }],
    code: "upstream_error",
  },
  {
    name: "an overflow",
    stream: [{
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 9 tokens > 8 maximum" },
    }],
    code: "context_length_exceeded",
  },
];

for (const { name, stream, code } of failures) {
  Deno.test(`messages stream fails after ${name}`, () => {
    const wire = stream.map((event) =>
      typeof event === "string" ? { data: event } : eventsOf([event])[0]
    );
    const events = decoded(messages, wire.filter((event) => event !== undefined));
    assertLaws(events);
    const last = events.at(-1);
    assert(last?.type === "error");
    assertEquals(last.error.code, code);
  });
}

Deno.test("messages stream: usage at the end replaces that of the start and never adds", () => {
  const stream = [start, {
    ...ended("end_turn"),
    usage: {
      input_tokens: 20,
      cache_read_input_tokens: null,
      cache_creation_input_tokens: 5,
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 4 },
    },
  }, over];
  const events = decoded(messages, eventsOf(stream));
  const usages = events.filter((event) => event.type === "usage").map(({ usage }) => usage);
  assertEquals(usages.map((usage) => totalInputTokens(usage)), [15, 28]);
  assertEquals([usages[1]?.outputTokens, usages[1]?.reasoningTokens], [5, 4]);
});

Deno.test("messages stream: an event is read by its data where its name is missing, and the other way round", () => {
  const stream = [start, open(0, emptyText), text(0, "a"), stop(0), ended("end_turn"), over];
  const whole = decoded(messages, eventsOf(stream));
  const unnamed = eventsOf(stream).map(({ data }) => ({ data }));
  const untyped = stream.map(({ type, ...rest }) => ({ event: type, data: JSON.stringify(rest) }));
  assertEquals(decoded(messages, unnamed), whole);
  assertEquals(decoded(messages, untyped), whole);
  assertEquals(decoded(messages, [...eventsOf(stream), { data: "[DONE]" }]), whole);
});

Deno.test("messages stream: citations are on their part and cover its whole text", () => {
  const citation = {
    type: "web_search_result_location",
    url: "https://x",
    title: "X",
    cited_text: "q",
  };
  const stream = [
    start,
    open(0, { type: "text", text: "", citations: [] }),
    delta(0, { type: "citations_delta", citation }),
    text(0, "abc"),
    stop(0),
    ended("end_turn"),
    over,
  ];
  const [part] = collect(decoded(messages, eventsOf(stream))).alternatives[0]?.parts ?? [];
  assert(part?.type === "text");
  const [found] = part.citations ?? [];
  assertEquals([found?.url, found?.title, found?.quote, found?.start, found?.end], [
    "https://x",
    "X",
    "q",
    0,
    3,
  ]);
});

Deno.test("messages stream: text is passed on as it comes, also that of a call", () => {
  const decoder = messages.eventDecoder();
  const kinds: CanonicalEvent["type"][][] = [];
  for (
    const event of eventsOf([start, open(0, call("t1")), input(0, "{"), input(0, "}"), stop(0)])
  ) {
    kinds.push(decoder.push(event).map(({ type }) => type));
  }
  assertEquals(kinds, [["start", "usage"], ["part-start"], ["part-delta"], ["part-delta"], [
    "part-end",
  ]]);
});
