import { assert, assertEquals } from "@std/assert";
import {
  type CanonicalEvent,
  type CanonicalRequest,
  collect,
  GatewayError,
  type JsonObject,
  noUsage,
  openContinuation,
  type Part,
} from "../../../lib/canonical/mod.ts";
import { chatCompletions } from "../../../lib/formats/chat_completions/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { assertLaws, assertValid, contextOf, decoded, encoded } from "../codec_suite.ts";
import { streamValidators } from "../validators/mod.ts";

const done = { data: "[DONE]" };

function chunk(delta: JsonObject, reason: string | null = null, besides: JsonObject = {}) {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" };
  const choices = [{ index: 0, delta, finish_reason: reason, ...besides }];
  return { data: JSON.stringify({ ...head, choices }) };
}

function calls(...tool_calls: JsonObject[]): ServerSentEvent {
  return chunk({ tool_calls });
}

function opener(index: number, id: string, name: string, text = ""): JsonObject {
  return { index, id, type: "function", function: { name, arguments: text } };
}

function more(index: number, text: string): JsonObject {
  return { index, function: { arguments: text } };
}

/** The parts and the ending of a stream; checks its laws. */
function answer(...events: ServerSentEvent[]) {
  const canonical = decoded(chatCompletions, events);
  assertLaws(canonical);
  const { alternatives } = collect(canonical);
  return { parts: alternatives[0].parts.map(brief), reason: alternatives[0].finishReason };
}

function brief(part: Part): string {
  if (part.type === "tool-call") return `${part.id} ${part.name} ${part.arguments}`;
  return "text" in part ? `${part.type}: ${part.text}` : part.type;
}

function errorOf(...events: ServerSentEvent[]): GatewayError {
  const last = decoded(chatCompletions, events).at(-1);
  assert(last?.type === "error", `ends with ${last?.type}`);
  return last.error;
}

const streams: Record<string, [ServerSentEvent[], string[], string]> = {
  "zero-argument calls have empty arguments": [
    [calls(opener(0, "a", "f")), chunk({}, "tool_calls"), done],
    ["a f {}"],
    "tool-calls",
  ],
  "interleaved calls stay whole and in order": [
    [
      calls(opener(0, "a", "f", '{"x":'), opener(1, "b", "g", '{"y"')),
      calls(more(1, ":2}")),
      calls(more(0, "1}")),
      chunk({}, "tool_calls"),
      done,
    ],
    ['a f {"x":1}', 'b g {"y":2}'],
    "tool-calls",
  ],
  "reasoning and text of one chunk are both kept": [
    [chunk({ reasoning_content: "hm", content: "yes" }), chunk({}, "stop"), done],
    ["reasoning: hm", "text: yes"],
    "stop",
  ],
  "text beside a call stays text": [
    [
      chunk({ content: "Look" }),
      calls(opener(0, "a", "f", "{}")),
      chunk({ content: "ing" }),
      chunk({}, "stop"),
      done,
    ],
    ["text: Look", "a f {}", "text: ing"],
    "tool-calls",
  ],
  "stop after a call is a call": [
    [calls(opener(0, "a", "f", "{}")), chunk({}, "stop"), done],
    ["a f {}"],
    "tool-calls",
  ],
  "length is not overridden by a call": [
    [calls(opener(0, "a", "f", '{"x')), chunk({}, "length"), done],
    ['a f {"x'],
    "length",
  ],
  "one index for all calls, told apart by new ids with names": [
    [
      calls(opener(0, "a", "f", '{"x":1}')),
      calls(opener(0, "b", "f", '{"x":2}')),
      chunk({}, "stop"),
    ],
    ['a f {"x":1}', 'b f {"x":2}'],
    "tool-calls",
  ],
  "an id that is repeated with each fragment": [
    [
      calls(opener(0, "a", "f", '{"x"')),
      calls(opener(0, "a", "f", ":1}")),
      chunk({}, "stop"),
      done,
    ],
    ['a f {"x":1}'],
    "tool-calls",
  ],
  "calls without index": [
    [
      calls({ id: "a", function: { name: "f", arguments: "{" } }),
      calls({ function: { arguments: "}" } }),
      calls({ id: "b", function: { name: "g", arguments: { y: 2 } } }),
      chunk({}, "tool_calls"),
      done,
    ],
    ["a f {}", 'b g {"y":2}'],
    "tool-calls",
  ],
  "a name that comes after the arguments": [
    [
      calls({ index: 0, id: "a", function: { arguments: '{"x":1' } }),
      calls({ index: 0, function: { name: "f", arguments: "}" } }),
      chunk({}, "tool_calls"),
      done,
    ],
    ['a f {"x":1}'],
    "tool-calls",
  ],
  "a custom call": [
    [
      calls({ index: 0, id: "a", type: "custom", custom: { name: "sql", input: "" } }),
      calls({ index: 0, custom: { input: "select 1" } }),
      chunk({}, "tool_calls"),
      done,
    ],
    ["a sql select 1"],
    "tool-calls",
  ],
  "content as parts with thoughts": [
    [
      chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }),
      chunk({ content: [{ type: "text", text: "yes" }] }),
      chunk({}, "stop"),
      done,
    ],
    ["reasoning: hm", "text: yes"],
    "stop",
  ],
  "a refusal": [
    [chunk({ refusal: "I " }), chunk({ refusal: "can't" }), chunk({}, "stop"), done],
    ["refusal: I can't"],
    "refusal",
  ],
  "a filter": [
    [chunk({ role: "assistant" }), chunk({}, "content_filter"), done],
    [],
    "content-filter",
  ],
  "an unknown reason is a plain stop": [
    [chunk({ content: "x" }, "whatever"), done],
    ["text: x"],
    "stop",
  ],
  "no [DONE] after the reason": [[chunk({ content: "x" }), chunk({}, "stop")], ["text: x"], "stop"],
  "[DONE] without a reason": [[chunk({ content: "x" }), done], ["text: x"], "stop"],
  "text after the reason": [[chunk({ content: "x" }, "stop"), chunk({ content: "y" }), done], [
    "text: x",
    "text: y",
  ], "stop"],
  "empty data lines, chunks without choices, events after the end": [
    [
      { data: "" },
      { data: '{"id":"","choices":[],"prompt_filter_results":[]}' },
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "é😀" }),
      chunk({}, "stop"),
      done,
      chunk({ content: "late" }),
    ],
    ["text: é😀"],
    "stop",
  ],
  "the deprecated function_call": [
    [
      chunk({ function_call: { name: "f", arguments: "{" } }),
      chunk({ function_call: { arguments: "}" } }),
      chunk({}, "function_call"),
      done,
    ],
    ["call_c2ef1cd70d5d62d0e4ba6f3b f {}"],
    "tool-calls",
  ],
};

for (const [name, [events, parts, reason]] of Object.entries(streams)) {
  Deno.test(`chat-completions stream: ${name}`, () => {
    const actual = answer(...events);
    const ids = /^call_[0-9a-f]{24}/;
    assertEquals(
      actual.parts.map((part) => part.replace(ids, "call_…")),
      parts.map((part) => part.replace(ids, "call_…")),
    );
    assertEquals(actual.reason, reason);
  });
}

Deno.test("chat-completions stream: calls without ids get stable ones that differ", () => {
  const events = [
    calls({ index: 0, function: { name: "f", arguments: "{}" } }),
    calls({ index: 1, function: { name: "f", arguments: "{}" } }),
    chunk({}, "tool_calls"),
    done,
  ];
  const { parts } = answer(...events);
  assertEquals(answer(...events).parts, parts);
  assert(parts[0] !== parts[1]);
});

const broken: Record<string, [ServerSentEvent[], string]> = {
  "nothing at all": [[], "upstream_truncated"],
  "[DONE] alone": [[done], "upstream_truncated"],
  "a close before the reason": [[chunk({ content: "x" })], "upstream_truncated"],
  "a close before the second choice's reason": [
    [chunk({ content: "x" }, "stop"), chunk({ content: "y" }, null, { index: 1 })],
    "upstream_truncated",
  ],
  "no JSON": [[chunk({ content: "x" }), { data: "{" }, done], "upstream_invalid_response"],
  "a list": [[{ data: "[]" }, done], "upstream_invalid_response"],
  "a call without a name": [
    [calls({ index: 0, id: "a", function: { arguments: "{}" } }), chunk({}, "tool_calls"), done],
    "upstream_invalid_response",
  ],
  "an error object": [
    [{ data: '{"error":{"message":"Busy","type":"server_error","code":null}}' }],
    "upstream_error",
  ],
  "an error as text": [[{ data: '{"error":"Busy"}' }], "upstream_error"],
  "an error with a status as its code": [
    [chunk({ content: "x" }), { data: '{"error":{"message":"Slow","code":429}}' }],
    "rate_limit_exceeded",
  ],
  "an error without envelope": [
    [{ data: '{"object":"error","message":"maximum context length is 1","code":400}' }],
    "context_length_exceeded",
  ],
  "an error within a choice": [
    [chunk({}, "error", { error: { message: "No", code: 502 } })],
    "upstream_error",
  ],
  "a reason that is a failure": [
    [chunk({ content: "x" }), chunk({}, "insufficient_system_resource"), done],
    "upstream_error",
  ],
};

for (const [name, [events, code]] of Object.entries(broken)) {
  Deno.test(`chat-completions stream fails on ${name}`, () => {
    assertEquals(errorOf(...events).code, code);
  });
}

Deno.test("chat-completions stream: usage counts at any position, the last one wins", () => {
  const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
  const last = { ...usage, completion_tokens: 2, total_tokens: 5 };
  const places: ServerSentEvent[][] = [
    [{ data: JSON.stringify({ choices: [], usage: last }) }],
    [{ data: JSON.stringify({ choices: [], x_groq: { usage: last } }) }],
    [chunk({}, null, { usage: last })],
  ];
  for (const place of places) {
    const first = JSON.parse(chunk({ content: "x" }, "stop").data);
    const events = [{ data: JSON.stringify({ ...first, usage }) }, ...place, done];
    const { usage: counted } = collect(decoded(chatCompletions, events));
    assertEquals([counted?.inputTokens, counted?.outputTokens], [3, 2]);
  }
});

Deno.test("chat-completions stream: two choices interleave, each with its own parts", () => {
  const events = decoded(chatCompletions, [
    chunk({ content: "a" }),
    chunk({ content: "b" }, null, { index: 1 }),
    chunk({ content: "A" }, "stop"),
    chunk({ content: "B" }, "length", { index: 1 }),
    done,
  ]);
  assertLaws(events);
  const { alternatives } = collect(events);
  assertEquals(alternatives.map(({ parts }) => parts.map(brief)), [["text: aA"], ["text: bB"]]);
  assertEquals(alternatives.map(({ finishReason }) => finishReason), ["stop", "length"]);
});

Deno.test("chat-completions stream: citations, proofs, log probabilities, audio and unknown members", () => {
  const url_citation = { url: "https://x.test", title: "X", start_index: 0, end_index: 1 };
  const token = (text: string) => ({ token: text, logprob: -1, bytes: null, top_logprobs: [] });
  const { alternatives } = collect(decoded(chatCompletions, [
    chunk({ content: "x" }, null, { logprobs: { content: [token("x")], refusal: null } }),
    chunk({ content: "y" }, null, { logprobs: { content: [token("y")] } }),
    chunk({ annotations: [{ type: "url_citation", url_citation }], later: 1 }),
    chunk({ audio: { id: "audio_1", data: "AA", transcript: "x" } }),
    chunk({ audio: { data: "BB", transcript: "y", expires_at: 9 } }),
    calls({ ...opener(0, "a", "f"), extra_content: { google: { thought_signature: "sig" } } }),
    chunk({}, "tool_calls"),
    done,
  ]));
  const [{ parts, native }] = alternatives;
  assertEquals(parts, [
    {
      type: "text",
      text: "xy",
      logprobs: [{ token: "x", logprob: -1, top: [] }, { token: "y", logprob: -1, top: [] }],
      citations: [{ url: "https://x.test", title: "X", start: 0, end: 1 }],
    },
    {
      type: "audio",
      source: { type: "base64", data: "AABB" },
      transcript: "xy",
      native: { format: "chat-completions", fields: { id: "audio_1", expires_at: 9 } },
    },
    {
      type: "tool-call",
      id: "a",
      name: "f",
      arguments: "{}",
      kind: "function",
      continuation: { issuer: "chat-completions", data: "sig" },
    },
  ]);
  assertEquals(native?.fields, { message: { later: 1 } });
});

Deno.test("chat-completions stream: details of reasoning are joined and go back as they were", () => {
  const detail = (fields: JsonObject) => ({ type: "reasoning.text", index: 0, ...fields });
  const { alternatives: [{ parts }] } = collect(decoded(chatCompletions, [
    chunk({ reasoning: "a", reasoning_details: [detail({ text: "a" })] }),
    chunk({ reasoning: "b", reasoning_details: [detail({ text: "b" })] }),
    chunk({ reasoning_details: [detail({ text: "", signature: "s" })] }),
    chunk({ content: "x" }, "stop"),
    done,
  ]));
  const { wire } = encodeAtOnce(chatCompletions, {
    ...contextOf({}).request,
    turns: [{ role: "assistant", parts }],
  });
  assertEquals(wire.body.messages, [{
    role: "assistant",
    content: "x",
    reasoning: "ab",
    reasoning_details: [{ type: "reasoning.text", index: 0, text: "ab", signature: "s" }],
  }]);
});

const start: CanonicalEvent = { type: "start", id: "msg_1", model: "upstream" };
const callPart = {
  type: "tool-call",
  id: "a",
  name: "f",
  arguments: "",
  kind: "function",
} as const;

function written(events: CanonicalEvent[], changes: Partial<CanonicalRequest> = {}): JsonObject[] {
  const context = contextOf({});
  const wire = encoded(chatCompletions, events, {
    ...context,
    request: { ...context.request, ...changes },
  });
  assertValid(chatCompletions, wire);
  return wire.filter(({ data }) => data !== "[DONE]").map(({ data }) => JSON.parse(data));
}

function deltasOf(chunks: JsonObject[]): JsonObject[] {
  return chunks.flatMap(({ choices }) => (choices as { delta: JsonObject }[])).map(({ delta }) =>
    delta
  );
}

Deno.test("chat-completions encode stream: role, deltas, reason, usage, [DONE]", () => {
  const chunks = written([
    start,
    { type: "part-start", index: 0, part: { type: "text", text: "" } },
    { type: "part-delta", index: 0, text: "x" },
    { type: "part-end", index: 0 },
    { type: "usage", usage: { ...noUsage, inputTokens: 3, outputTokens: 1 } },
    { type: "end", endings: [{ finishReason: "stop" }] },
  ]);
  const head = { id: "chatcmpl-01JD0000000000000000000000", model: "test-model" };
  for (const { id, model } of chunks) assertEquals({ id, model }, head);
  assertEquals(deltasOf(chunks), [
    { role: "assistant", content: "", refusal: null },
    { content: "x" },
    {},
  ]);
  assertEquals(chunks.map(({ usage }) => usage && (usage as JsonObject).total_tokens), [
    null,
    null,
    null,
    4,
  ]);
});

Deno.test("chat-completions encode stream: usage is only stated to a caller who asked", () => {
  const events: CanonicalEvent[] = [
    start,
    { type: "usage", usage: noUsage },
    { type: "end", endings: [{ finishReason: "stop" }] },
  ];
  for (const chunk of written(events, { streamOptions: {} })) {
    assert(!("usage" in chunk));
    assertEquals((chunk.choices as unknown[]).length, 1);
  }
});

Deno.test("chat-completions encode stream: call indices are dense despite other parts between them", () => {
  const part = (index: number, part: Part): CanonicalEvent[] => [
    { type: "part-start", index, part },
    { type: "part-end", index },
  ];
  const chunks = written([
    start,
    ...part(0, { type: "reasoning", text: "", visibility: "raw" }),
    ...part(1, { type: "text", text: "" }),
    ...part(2, callPart),
    ...part(3, { type: "native", format: "messages", value: {} }),
    ...part(4, { ...callPart, id: "" }),
    { type: "end", endings: [{ finishReason: "stop" }] },
  ]);
  const fragments = deltasOf(chunks).flatMap(({ tool_calls }) => tool_calls ?? []) as JsonObject[];
  assertEquals(fragments.map(({ index }) => index), [0, 0, 1, 1]);
  assertEquals(chunks.at(-1)?.choices, [{ index: 0, delta: {}, finish_reason: "tool_calls" }]);
});

Deno.test("chat-completions encode stream: an emulated custom tool comes out as custom", () => {
  const deltas = deltasOf(written([
    start,
    { type: "part-start", index: 0, part: callPart },
    { type: "part-delta", index: 0, text: '{"input":"sel' },
    { type: "part-delta", index: 0, text: 'ect 1"}' },
    { type: "part-end", index: 0 },
    { type: "end", endings: [{ finishReason: "tool-calls" }] },
  ], { tools: [{ type: "custom", name: "f" }] }));
  assertEquals(deltas[1], {
    tool_calls: [{ index: 0, id: "a", type: "custom", custom: { name: "f", input: "select 1" } }],
  });
});

Deno.test("chat-completions encode stream: a caller of the deprecated functions gets function_call", () => {
  const chunks = written([
    start,
    { type: "part-start", index: 0, part: callPart },
    { type: "part-end", index: 0 },
    { type: "end", endings: [{ finishReason: "tool-calls" }] },
  ], { spelling: { format: "chat-completions", fields: { functions: true } } });
  assertEquals(deltasOf(chunks)[1], { function_call: { name: "f", arguments: "{}" } });
  assertEquals((chunks.at(-1)?.choices as JsonObject[])[0].finish_reason, "function_call");
});

Deno.test("chat-completions encode stream: another vendor's proofs come home through the caller", () => {
  const proof = { issuer: "messages", data: "sig", itemId: "i" } as const;
  const deltas = deltasOf(written([
    start,
    { type: "part-start", index: 0, part: { type: "reasoning", text: "", visibility: "raw" } },
    { type: "part-delta", index: 0, text: "hm" },
    { type: "part-end", index: 0, patch: { continuation: proof } },
    { type: "part-start", index: 1, part: callPart },
    {
      type: "part-end",
      index: 1,
      patch: { continuation: { issuer: "generate-content", data: "g" } },
    },
    { type: "end", endings: [{ finishReason: "tool-calls" }] },
  ]));
  const details = deltas.flatMap(({ reasoning_details }) => reasoning_details ?? []);
  const [thought, called] = replayedParts({
    reasoning_content: "hm",
    reasoning_details: details,
    tool_calls: [{
      id: "a",
      type: "function",
      function: { name: "f", arguments: "{}" },
      extra_content: closingProof(deltas),
    }],
  });
  assertEquals(thought, { type: "reasoning", text: "hm", visibility: "raw", continuation: proof });
  assert(called.type === "tool-call");
  assertEquals(called.continuation, { issuer: "generate-content", data: "g" });
});

Deno.test("chat-completions encode stream: a call's proof goes out with its head, a late one with a function", () => {
  const proof = { issuer: "generate-content", data: "g" } as const;
  const grow = { type: "part-delta", text: '{"a":1}' } as const;
  const early = deltasOf(written([
    start,
    { type: "part-start", index: 0, part: { ...callPart, continuation: proof } },
    { ...grow, index: 0 },
    { type: "part-end", index: 0 },
    { type: "end", endings: [{ finishReason: "tool-calls" }] },
  ])).flatMap(({ tool_calls }) => tool_calls ?? []) as JsonObject[];
  assertEquals(early.map((piece) => "extra_content" in piece), [true, false]);
  const late = deltasOf(written([
    start,
    { type: "part-start", index: 0, part: callPart },
    { ...grow, index: 0 },
    { type: "part-end", index: 0, patch: { continuation: proof } },
    { type: "end", endings: [{ finishReason: "tool-calls" }] },
  ])).flatMap(({ tool_calls }) => tool_calls ?? []) as JsonObject[];
  assertEquals(late.map((piece) => "extra_content" in piece), [false, false, true]);
  assertEquals(late.map((piece) => "function" in piece), [true, true, true]);
});

/** The parts of an assistant's message that a caller sends back. */
function replayedParts(message: JsonObject): readonly Part[] {
  const messages = [{ role: "user", content: "x" }, { role: "assistant", ...message }];
  const body = { model: "m", messages };
  const wire = { path: "/chat/completions", search: {}, headers: {}, body };
  return chatCompletions.decodeRequest(wire).turns[1].parts;
}

function closingProof(deltas: JsonObject[]): JsonObject {
  const fragments = deltas.flatMap(({ tool_calls }) => tool_calls ?? []) as JsonObject[];
  return fragments.find(({ extra_content }) => extra_content)?.extra_content as JsonObject;
}

Deno.test("chat-completions: a broken seal proves nothing", () => {
  assertEquals(openContinuation("chat-completions", "tsr1.messages.%%%"), undefined);
  const [thought] = replayedParts({
    content: "y",
    reasoning_details: [{ type: "reasoning.encrypted", data: "tsr1.messages.%%%" }],
  });
  assertEquals(thought, { type: "reasoning", text: "", visibility: "redacted" });
});

Deno.test("chat-completions encode stream: a name that an upstream's format changed comes back", () => {
  const name = "1" + "x".repeat(80);
  const tools = [{ type: "function", name }] as const;
  const { wire } = encodeAtOnce(chatCompletions, { ...contextOf({}).request, tools });
  const [sent] = wire.body.tools as { function: { name: string } }[];
  for (const changed of [sent.function.name, `_${sent.function.name}`]) {
    const deltas = deltasOf(written([
      start,
      { type: "part-start", index: 0, part: { ...callPart, name: changed } },
      { type: "part-end", index: 0 },
      { type: "end", endings: [{ finishReason: "tool-calls" }] },
    ], { tools }));
    const [opening] = deltas.flatMap(({ tool_calls }) => tool_calls ?? []) as JsonObject[];
    assertEquals((opening.function as JsonObject).name, name);
  }
});

Deno.test("chat-completions encode stream: citations count from the message's beginning", () => {
  const cited = (index: number, text: string): CanonicalEvent[] => [
    { type: "part-start", index, part: { type: "text", text: "" } },
    { type: "part-delta", index, text },
    {
      type: "part-end",
      index,
      patch: { citations: [{ url: "https://x.test", start: 0, end: 1 }] },
    },
  ];
  const end: CanonicalEvent = { type: "end", endings: [{ finishReason: "stop" }] };
  const deltas = deltasOf(written([start, ...cited(0, "One. "), ...cited(1, "Two."), end]));
  const annotations = deltas.flatMap(({ annotations }) => annotations ?? []) as JsonObject[];
  const places = annotations.map(({ url_citation }) => (url_citation as JsonObject).start_index);
  assertEquals(places, [0, 5]);
});

Deno.test("chat-completions encode stream: an error ends it without [DONE]", () => {
  const error = new GatewayError("upstream_truncated", "The upstream closed");
  const wire = encoded(chatCompletions, [start, { type: "error", error }], contextOf({}));
  assertValid(chatCompletions, wire);
  const { error: body } = JSON.parse(wire.at(-1)?.data ?? "{}");
  assertEquals([body.code, body.request_id], ["upstream_truncated", contextOf({}).requestId]);
});

const role = chunk({ role: "assistant", content: "" });
const stop = chunk({}, "stop");
const usageChunk = {
  data: JSON.stringify({ ...JSON.parse(stop.data), choices: [], usage: { total_tokens: 1 } }),
};

const violations: Record<string, [ServerSentEvent[], string]> = {
  "no end": [[role, stop], "without [DONE]"],
  "an event after the end": [[role, stop, done, stop], "follows the done event"],
  "a named event": [[{ ...role, event: "message" }, stop, done], "named message"],
  "no JSON": [[role, { data: "{" }, stop, done], "not a JSON object"],
  "no choices": [[role, { data: '{"id":"chatcmpl-1"}' }, stop, done], "choices is not an array"],
  "no role": [[chunk({ content: "x" }), stop, done], "does not begin with its role"],
  "two roles": [[role, role, stop, done], "role twice"],
  "no reason": [[role, done], "no finish_reason"],
  "a choice that goes on": [[role, stop, chunk({ content: "x" }), done], "goes on after"],
  "an invalid reason": [[role, chunk({}, "end_turn"), done], "unknown finish_reason"],
  "a gap in the calls": [[role, calls(opener(1, "a", "f")), stop, done], "leaves a gap"],
  "a call without id": [[role, calls(opener(0, "", "f")), stop, done], "has no id"],
  "a call without name": [[role, calls(opener(0, "a", "")), stop, done], "has no name"],
  "a call without type": [
    [role, calls({ index: 0, id: "a", function: { name: "f", arguments: "" } }), stop, done],
    "has no type",
  ],
  "a call without arguments": [
    [role, calls({ index: 0, id: "a", type: "function", function: { name: "f" } }), stop, done],
    "has no text of arguments",
  ],
  "an id that is repeated": [
    [role, calls(opener(0, "a", "f")), calls({ ...more(0, "{}"), id: "a" }), stop, done],
    "id twice",
  ],
  "a name that is repeated": [
    [role, calls(opener(0, "a", "f")), calls({ index: 0, function: { name: "f" } }), stop, done],
    "name twice",
  ],
  "usage before the reason": [[role, usageChunk, stop, done], "usage comes before"],
  "usage twice": [[role, stop, usageChunk, usageChunk, done], "stated twice"],
  "usage with choices": [
    [role, { data: JSON.stringify({ ...JSON.parse(stop.data), usage: {} }) }, done],
    "has choices",
  ],
  "another id": [[role, { data: stop.data.replace("chatcmpl-1", "chatcmpl-2") }, done], "changes"],
  "another object": [
    [role, { data: stop.data.replace("completion.chunk", "completion") }, done],
    "object is not",
  ],
  "nothing but the end": [[done], "before any choice"],
  "an error without message": [[role, { data: '{"error":{}}' }], "error.message"],
};

for (const [name, [events, problem]] of Object.entries(violations)) {
  Deno.test(`chat-completions validator sees ${name}`, () => {
    const validator = streamValidators["chat-completions"]();
    for (const event of events) validator.push(event);
    const found = validator.end();
    assert(found.some((violation) => violation.includes(problem)), JSON.stringify(found));
  });
}
