import { assert, assertEquals } from "@std/assert";
import {
  type CanonicalEvent,
  collect,
  type JsonObject,
  type Part,
} from "../../../lib/canonical/mod.ts";
import { responses } from "../../../lib/formats/responses/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { assertLaws, decoded } from "../codec_suite.ts";
import {
  added,
  argumentsDelta,
  call,
  completed,
  created,
  done,
  eventsOf,
  hello,
  message,
  textDelta,
} from "./wire.ts";

/** The parts of an answer; checks the laws of its events. */
function partsOf(stream: JsonObject[]): readonly Part[] {
  return partsOfEvents(decoded(responses, eventsOf(stream)));
}

function partsOfEvents(events: CanonicalEvent[]): readonly Part[] {
  assertLaws(events);
  return collect(events).alternatives[0].parts;
}

function brief(parts: readonly Part[]): string[] {
  return parts.map((part) =>
    part.type === "tool-call"
      ? `${part.kind} ${part.name} ${part.arguments}`
      : "text" in part
      ? `${part.type} ${part.text}`
      : part.type
  );
}

const streams: readonly { name: string; stream: JsonObject[]; expected: string[] }[] = [
  {
    name: "calls whose events interleave",
    stream: [
      created,
      added(0, call("a", "")),
      added(1, call("b", "")),
      argumentsDelta(1, '{"b"'),
      argumentsDelta(0, '{"a"'),
      argumentsDelta(1, ":2}"),
      argumentsDelta(0, ":1}"),
      done(1, call("b", '{"b":2}')),
      done(0, call("a", '{"a":1}')),
      completed(),
    ],
    expected: ['function f_a {"a":1}', 'function f_b {"b":2}'],
  },
  {
    name: "a call without deltas and without arguments",
    stream: [created, added(0, call("a", "")), done(0, call("a", "")), completed()],
    expected: ["function f_a {}"],
  },
  {
    name: "arguments that only the finished item has",
    stream: [created, added(0, call("a", "")), done(0, call("a", '{"x":1}')), completed()],
    expected: ['function f_a {"x":1}'],
  },
  {
    name: "arguments that only the done event has",
    stream: [
      created,
      added(0, call("a", "")),
      { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"x":1}' },
      completed(),
    ],
    expected: ['function f_a {"x":1}'],
  },
  {
    name: "a call that is done without having been added",
    stream: [created, argumentsDelta(0, '{"x"'), done(0, call("a", '{"x":1}')), completed()],
    expected: ['function f_a {"x":1}'],
  },
  {
    name: "the tail of a text that the deltas left out",
    stream: [created, added(0, message), textDelta("hel"), done(0, hello), completed()],
    expected: ["text hello"],
  },
  {
    name: "a text of which the item was never added",
    stream: [created, textDelta("hel"), textDelta("lo"), completed()],
    expected: ["text hello"],
  },
  {
    name: "items without their done events",
    stream: [
      created,
      added(0, message),
      textDelta("hello"),
      { type: "response.output_text.done", output_index: 0, content_index: 0, text: "hello" },
      added(1, call("a", "")),
      argumentsDelta(1, "{}"),
      completed(),
    ],
    expected: ["text hello", "function f_a {}"],
  },
  {
    name: "reasoning of which the item is never done, live as it comes",
    stream: [
      created,
      added(0, { type: "reasoning", id: "rs_1", summary: [] }),
      {
        type: "response.reasoning_summary_text.delta",
        output_index: 0,
        summary_index: 0,
        delta: "t",
      },
      {
        type: "response.reasoning_summary_text.done",
        output_index: 0,
        summary_index: 0,
        text: "t",
      },
      added(1, message),
      { ...textDelta("hello"), output_index: 1 },
      completed(),
    ],
    expected: ["reasoning t", "text hello"],
  },
  {
    name: "an answer that is only in the terminal event",
    stream: [created, completed([hello, call("a", "")])],
    expected: ["text hello", "function f_a {}"],
  },
  {
    name: "no start, duplicates, pings and unknown events",
    stream: [
      { type: "keepalive" },
      { type: "response.brand_new", output_index: 0 },
      added(0, message),
      added(0, message),
      created,
      created,
      textDelta("hello"),
      done(0, hello),
      done(0, hello),
      textDelta("late"),
      completed(),
      completed(),
    ],
    expected: ["text hello"],
  },
  {
    name: "item ids that change on the way",
    stream: [
      created,
      added(0, { ...message, id: "msg_x" }),
      { ...textDelta("hello"), item_id: "msg_y" },
      done(0, { ...hello, id: "msg_z" }),
      completed(),
    ],
    expected: ["text hello"],
  },
  {
    name: "several content parts of one message",
    stream: [
      created,
      added(0, message),
      textDelta("one"),
      textDelta("two", 1),
      { type: "response.refusal.delta", output_index: 0, content_index: 2, delta: "no" },
      done(0, {
        ...message,
        content: [
          { type: "output_text", text: "one" },
          { type: "output_text", text: "two" },
          { type: "refusal", refusal: "no" },
          { type: "output_text", text: "unstreamed" },
        ],
      }),
      completed(),
    ],
    expected: ["text one", "text two", "refusal no", "text unstreamed"],
  },
  {
    name: "free text of a custom tool",
    stream: [
      created,
      added(0, { type: "custom_tool_call", id: "ctc_1", call_id: "c", name: "p", input: "" }),
      { type: "response.custom_tool_call_input.delta", output_index: 0, delta: "a" },
      { type: "response.custom_tool_call_input.done", output_index: 0, input: "ab" },
      done(0, { type: "custom_tool_call", id: "ctc_1", call_id: "c", name: "p", input: "ab" }),
      completed(),
    ],
    expected: ["custom p ab"],
  },
  {
    name: "raw reasoning and a summary in one item",
    stream: [
      created,
      added(0, { type: "reasoning", id: "rs_1", summary: [] }),
      { type: "response.reasoning_text.delta", output_index: 0, content_index: 0, delta: "raw" },
      {
        type: "response.reasoning_summary_text.delta",
        output_index: 0,
        summary_index: 0,
        delta: "sum",
      },
      done(0, {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "sum" }],
        content: [{ type: "reasoning_text", text: "raw" }],
      }),
      completed(),
    ],
    expected: ["reasoning raw", "reasoning sum"],
  },
];

for (const { name, stream, expected } of streams) {
  Deno.test(`eventDecoder reads ${name}`, () => assertEquals(brief(partsOf(stream)), expected));
}

Deno.test("eventDecoder joins pieces of a summary and takes the proof of the finished item", () => {
  const summary = [{ type: "summary_text", text: "a" }, { type: "summary_text", text: "b" }];
  const piece = (summary_index: number, delta: string) => ({
    type: "response.reasoning_summary_text.delta",
    output_index: 0,
    summary_index,
    delta,
  });
  const item = { type: "reasoning", id: "rs_1", summary, encrypted_content: "final" };
  const [part] = partsOf([
    created,
    added(0, { ...item, summary: [], encrypted_content: "first" }),
    piece(0, "a"),
    piece(1, "b"),
    done(0, item),
    completed(),
  ]);
  assertEquals(part, responses.decodeResponse({ output: [item] }).alternatives[0].parts[0]);
  assert(part.type === "reasoning" && part.text === "a\n\nb");
  assertEquals(part.continuation, { issuer: "responses", data: "final", itemId: "rs_1" });
});

Deno.test("eventDecoder takes response.done for completed, and [DONE] for nothing", () => {
  const events = [...eventsOf([created, { ...completed(), type: "response.done" }]), {
    data: "[DONE]",
  }];
  assertEquals(decoded(responses, events).at(-1)?.type, "end");
});

const failures: readonly {
  name: string;
  events: ServerSentEvent[];
  code: string;
  message?: string;
}[] = [
  {
    name: "a nested error",
    events: eventsOf([created, {
      type: "error",
      error: { code: "rate_limit_exceeded", message: "Please try again in 1.5s" },
    }]),
    code: "rate_limit_exceeded",
    message: "Please try again in 1.5s",
  },
  {
    name: "a flat error",
    events: eventsOf([{
      type: "error",
      code: "context_length_exceeded",
      message: "too long",
      param: null,
    }]),
    code: "context_length_exceeded",
    message: "too long",
  },
  {
    name: "a failed response, the error before it being the one that counts",
    events: eventsOf([
      created,
      { type: "error", error: { code: "server_is_overloaded", message: "busy" } },
      { type: "response.failed", response: { error: { code: "server_error", message: "x" } } },
    ]),
    code: "upstream_overloaded",
    message: "busy",
  },
  {
    name: "a failed response alone",
    events: eventsOf([created, {
      type: "response.failed",
      response: { status: "failed", error: null },
    }]),
    code: "upstream_error",
  },
  {
    name: "an error without a type",
    events: [{ data: '{"error":{"message":"m"}}' }],
    code: "upstream_error",
    message: "m",
  },
  {
    name: "an event that is no JSON",
    events: [...eventsOf([created]), { data: "{" }],
    code: "upstream_invalid_response",
  },
  { name: "an event that is a list", events: [{ data: "[]" }], code: "upstream_invalid_response" },
  {
    name: "a close before the end",
    events: eventsOf([created, added(0, message), textDelta("x")]),
    code: "upstream_truncated",
  },
  { name: "a close before the start", events: [], code: "upstream_truncated" },
];

for (const { name, events, code, message } of failures) {
  Deno.test(`eventDecoder ends in one error after ${name}`, () => {
    const canonical = decoded(responses, [...events, ...eventsOf([])]);
    assertLaws(canonical);
    const last = canonical.at(-1);
    assert(last?.type === "error");
    assertEquals(last.error.code, code);
    if (message) assertEquals(last.error.message, message);
  });
}

Deno.test("eventDecoder survives values of every kind in every member", () => {
  const values = [null, 7, -1, 1e21, "x", [], {}, [null], { type: {} }];
  const types = [
    "response.created",
    "response.output_item.added",
    "response.output_item.done",
    "response.content_part.added",
    "response.content_part.done",
    "response.output_text.delta",
    "response.output_text.done",
    "response.function_call_arguments.delta",
    "response.reasoning_summary_text.delta",
    "response.completed",
    "response.failed",
    "error",
  ];
  const members = [
    "response",
    "item",
    "part",
    "delta",
    "text",
    "output_index",
    "content_index",
    "summary_index",
    "error",
  ];
  for (const type of types) {
    for (const member of members) {
      for (const value of values) {
        const wild = { ...textDelta("x"), type, item: hello, [member]: value };
        assertLaws(decoded(responses, eventsOf([created, added(0, message), wild, completed()])));
      }
    }
  }
});

Deno.test("eventDecoder gives an item's events at once where the one before it has said everything", () => {
  const decoder = responses.eventDecoder();
  const early = eventsOf([
    created,
    added(0, { type: "reasoning", id: "rs_1", summary: [] }),
    {
      type: "response.reasoning_summary_text.delta",
      output_index: 0,
      summary_index: 0,
      delta: "t",
    },
    { type: "response.reasoning_summary_text.done", output_index: 0, summary_index: 0, text: "t" },
    { ...textDelta("hello"), output_index: 1 },
  ]).flatMap((event) => decoder.push(event));
  assertEquals(early.at(-1), { type: "part-delta", index: 1, text: "hello" });
});
