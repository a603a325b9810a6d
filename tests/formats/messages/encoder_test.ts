import { assert, assertEquals } from "@std/assert";
import {
  type CanonicalEvent,
  type CanonicalRequest,
  type CanonicalResponse,
  collect,
  eventsOf,
  type FinishReason,
  GatewayError,
  isJsonObject,
  type JsonObject,
  noUsage,
  type Part,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { messages } from "../../../lib/formats/messages/mod.ts";
import { assertValid, contextOf, decoded, encoded } from "../codec_suite.ts";
import { sentBy, wireOf } from "./wire.ts";

const thinking = { ...contextOf({}).request, reasoning: { mode: "adaptive" } } as const;

function context(request: CanonicalRequest = thinking) {
  return { ...contextOf({}), request };
}

function answer(parts: readonly Part[], finishReason: FinishReason = "stop"): CanonicalResponse {
  return {
    id: "upstream-id",
    model: "upstream-model",
    alternatives: [{ finishReason, parts }],
    usage: { ...noUsage, inputTokens: 5, outputTokens: 7 },
  };
}

/** The blocks of an answer, whole and streamed: both must be equal. */
function blocksOf(response: CanonicalResponse, request?: CanonicalRequest): unknown {
  const whole = messages.encodeResponse(response, context(request));
  const stream = encoded(messages, eventsOf(response), context(request));
  assertValid(messages, stream);
  const again = messages.encodeResponse(
    { ...collect(decoded(messages, stream)), model: whole.model as string },
    context(request),
  );
  assertEquals(
    [again.content, again.stop_reason, again.usage],
    [whole.content, whole.stop_reason, whole.usage],
    "the stream says what the whole answer says",
  );
  return whole.content;
}

const call = {
  type: "tool-call",
  id: "call_1",
  name: "f",
  arguments: '{"a":1}',
  kind: "function",
} as const;
const use = { type: "tool_use", id: "call_1", name: "f", input: { a: 1 } };
const text = { type: "text", text: "t" } as const;
const google = { issuer: "generate-content", data: "sig" } as const;
const openai = { issuer: "responses", data: "enc", itemId: "rs_1" } as const;

const cases: { name: string; parts: Part[]; blocks: unknown[]; request?: CanonicalRequest }[] = [
  { name: "text", parts: [text], blocks: [text] },
  { name: "text that is empty", parts: [{ type: "text", text: "" }, text], blocks: [text] },
  { name: "text beside a call", parts: [text, call], blocks: [text, use] },
  {
    name: "two calls, one without arguments",
    parts: [call, { ...call, id: "call_2", arguments: "" }],
    blocks: [use, { ...use, id: "call_2", input: {} }],
  },
  {
    name: "a call whose id the format refuses",
    parts: [{ ...call, id: "a.b/c" }],
    blocks: [{ ...use, id: "toolu_3c3bb9a6f5b4f6d9f7f2a0b1" }],
  },
  {
    name: "calls without ids",
    parts: [{ ...call, id: "" }, { ...call, id: "" }],
    blocks: [
      { ...use, id: "toolu_01JD0000000000000000000000_0" },
      { ...use, id: "toolu_01JD0000000000000000000000_1" },
    ],
  },
  {
    name: "the free text of a custom tool",
    parts: [{ ...call, kind: "custom", arguments: 'say "ü"\n😀' }],
    blocks: [{ ...use, input: { input: 'say "ü"\n😀' } }],
  },
  {
    name: "no free text at all",
    parts: [{ ...call, kind: "custom", arguments: "" }],
    blocks: [{ ...use, input: { input: "" } }],
  },
  {
    name: "a refusal",
    parts: [{ type: "refusal", text: "no" }],
    blocks: [{ type: "text", text: "no" }],
  },
  {
    name: "reasoning without a proof, marked so that its replay is known as foreign",
    parts: [{ type: "reasoning", text: "hm", visibility: "raw" }, text],
    blocks: [{ type: "thinking", thinking: "hm", signature: "tsr1." }, text],
  },
  {
    name: "reasoning of this vendor",
    parts: [{
      type: "reasoning",
      text: "hm",
      visibility: "summary",
      continuation: { issuer: "messages", data: "EqQB" },
    }],
    blocks: [{ type: "thinking", thinking: "hm", signature: "EqQB" }],
  },
  {
    name: "reasoning that has nothing to say",
    parts: [{ type: "reasoning", text: "", visibility: "summary" }, text],
    blocks: [text],
  },
  {
    name: "an image, a file and a part of another vendor",
    parts: [
      { type: "image", source: { type: "base64", data: "AAAA" } },
      { type: "file", source: { type: "text", text: "x" } },
      { type: "native", format: "responses", value: { type: "web_search_call" } },
      text,
    ],
    blocks: [text],
  },
  {
    name: "audio, as its transcript",
    parts: [{ type: "audio", source: { type: "base64", data: "A" }, transcript: "heard" }],
    blocks: [{ type: "text", text: "heard" }],
  },
  {
    name: "a block of this vendor's own",
    parts: [{
      type: "native",
      format: "messages",
      value: { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } },
    }],
    blocks: [{ type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } }],
  },
  {
    name: "no reasoning for a caller who did not ask for any",
    parts: [
      { type: "reasoning", text: "hm", visibility: "raw", continuation: openai },
      { ...call, continuation: google },
    ],
    blocks: [use],
    request: contextOf({}).request,
  },
];

for (const { name, parts, blocks, request } of cases) {
  Deno.test(`messages answer: ${name}`, () => {
    const sent = blocksOf(answer(parts), request);
    if (name !== "a call whose id the format refuses") return assertEquals(sent, blocks);
    assert(Array.isArray(sent) && /^toolu_[0-9a-f]{24}$/.test(sent[0].id));
  });
}

Deno.test("messages answer: proofs of others go to the caller sealed and come home", () => {
  const response = answer([
    { type: "reasoning", text: "hm", visibility: "summary", continuation: openai },
    { type: "reasoning", text: "", visibility: "redacted", continuation: openai },
    { ...call, continuation: google },
  ]);
  const content = blocksOf(response);
  assert(Array.isArray(content));
  assertEquals(content.map(({ type }) => type), [
    "thinking",
    "redacted_thinking",
    "redacted_thinking",
    "tool_use",
  ]);
  const { turns } = messages.decodeRequest(wireOf({
    model: "m",
    max_tokens: 1,
    messages: [{ role: "user", content: "x" }, { role: "assistant", content }],
  }));
  assertEquals(turns[1]?.parts.map(({ type, continuation }) => ({ type, continuation })), [
    { type: "reasoning", continuation: openai },
    { type: "reasoning", continuation: openai },
    { type: "tool-call", continuation: google },
  ]);
});

Deno.test("messages answer: a proof that comes with the end of its call follows it, and comes home", () => {
  const { arguments: json, ...opened } = call;
  const stream = encoded(messages, [
    { type: "start", id: "x", model: "y" },
    { type: "part-start", index: 0, part: { ...opened, arguments: "" } },
    { type: "part-delta", index: 0, text: json },
    { type: "part-end", index: 0, patch: { continuation: google } },
    { type: "end", endings: [{ finishReason: "stop" }] },
  ], context());
  assertValid(messages, stream);
  const content = sentBy(stream).flatMap(({ type, content_block: block }) =>
    type === "content_block_start" && isJsonObject(block) ? [block] : []
  );
  const { turns } = messages.decodeRequest(wireOf({
    model: "m",
    max_tokens: 1,
    messages: [{ role: "assistant", content }],
  }));
  assertEquals(turns[0]?.parts.map(({ type, continuation }) => ({ type, continuation })), [
    { type: "tool-call", continuation: google },
  ]);
});

Deno.test("messages answer: only proofs go to a caller who wants no thinking to be shown", () => {
  const request = { ...thinking, reasoning: { mode: "adaptive", summary: "none" } } as const;
  const content = blocksOf(
    answer([
      { type: "reasoning", text: "hm", visibility: "summary", continuation: openai },
      { type: "reasoning", text: "hm", visibility: "summary" },
      text,
    ]),
    request,
  );
  assert(Array.isArray(content));
  assertEquals(content.map(({ type }) => type), ["redacted_thinking", "text"]);
});

Deno.test("messages answer: a thought that is not shown comes home with its words, where it must", () => {
  const request = { ...thinking, reasoning: { mode: "adaptive", summary: "none" } } as const;
  const continuation = { issuer: "chat-completions", data: '{"reasoning_content":true}' } as const;
  const thought = { type: "reasoning", text: "hm", visibility: "raw", continuation } as const;
  const content = blocksOf(answer([thought, text]), request);
  assertEquals(JSON.stringify(content).includes('"hm"'), false);
  const { turns } = messages.decodeRequest(wireOf({
    model: "m",
    max_tokens: 9,
    messages: [{ role: "user", content: "x" }, { role: "assistant", content }],
  } as JsonObject));
  assertEquals(turns[1].parts[0], thought);
});

Deno.test("messages answer: a tool's name comes back as the caller declared it", () => {
  const name = `long_${"x".repeat(130)}`;
  const request: CanonicalRequest = { ...thinking, tools: [{ type: "function", name }] };
  const { tools } = encodeAtOnce(messages, request).wire.body;
  assert(Array.isArray(tools));
  const sent = String(tools[0].name);
  assert(sent.length <= 64 && sent !== name);
  const nameOf = (name: string) => {
    const content = blocksOf(answer([{ ...call, name }]), request);
    return Array.isArray(content) && content[0].name;
  };
  assertEquals([nameOf(sent), nameOf(name), nameOf("other")], [name, name, "other"]);
});

Deno.test("messages answer: fresh id and the caller's model, unless this vendor gave the answer", () => {
  const foreign = messages.encodeResponse(answer([text]), context());
  assertEquals([foreign.id, foreign.model], ["msg_01JD0000000000000000000000", "test-model"]);
  const own = messages.encodeResponse(
    { ...answer([text]), native: { format: "messages", fields: { container: { id: "c" } } } },
    context(),
  );
  assertEquals([own.id, own.model, own.container], [
    "upstream-id",
    "upstream-model",
    { id: "c" },
  ]);
});

Deno.test("messages answer: a call that a limit cut off is left out, and the limit is said", () => {
  const response = answer([text, { ...call, arguments: '{"a":' }], "length");
  const whole = messages.encodeResponse(response, context());
  assertEquals([whole.content, whole.stop_reason], [[text], "max_tokens"]);
  assertValid(messages, encoded(messages, eventsOf(response), context()));
});

Deno.test("messages answer: arguments that are not an object are wrapped in one", () => {
  const whole = messages.encodeResponse(answer([{ ...call, arguments: "[1]" }]), context());
  assertEquals(whole.content, [{ ...use, input: { input: "[1]" } }]);
});

Deno.test("messages stream: other alternatives are left out, whatever their order", () => {
  const events: CanonicalEvent[] = [
    { type: "start", id: "x", model: "y" },
    { type: "part-start", index: 0, part: { type: "text", text: "" } },
    { type: "part-start", index: 1, alternative: 1, part: { type: "text", text: "" } },
    { type: "part-delta", index: 1, text: "other" },
    { type: "part-delta", index: 0, text: "one" },
    { type: "part-end", index: 1 },
    { type: "part-end", index: 0 },
    { type: "end", endings: [{ finishReason: "stop" }, { finishReason: "length" }] },
  ];
  const stream = encoded(messages, events, context());
  assertValid(messages, stream);
  const [first] = collect(decoded(messages, stream)).alternatives;
  assertEquals([first?.parts, first?.finishReason], [[{ type: "text", text: "one" }], "stop"]);
});

Deno.test("messages stream: each piece goes on at once", () => {
  const encoder = messages.eventEncoder(context());
  const counts = [
    ...eventsOf(answer([{ type: "reasoning", text: "hm", visibility: "raw" }, text, call])),
  ]
    .map((event) => encoder.push(event).map(({ event }) => event));
  assertEquals(counts, [
    ["message_start"],
    [],
    ["content_block_start", "content_block_delta"],
    ["content_block_delta", "content_block_stop"],
    [],
    ["content_block_start", "content_block_delta"],
    ["content_block_stop"],
    ["content_block_start"],
    ["content_block_delta"],
    ["content_block_stop"],
    [],
    ["message_delta", "message_stop"],
  ]);
});

Deno.test("messages stream: an error ends it without message_stop, also before its start", () => {
  const error = new GatewayError("upstream_overloaded", "Busy");
  const events: CanonicalEvent[][] = [
    [{ type: "error", error }],
    [
      { type: "start", id: "x", model: "y" },
      { type: "part-start", index: 0, part: { type: "text", text: "" } },
      { type: "part-delta", index: 0, text: "a" },
      { type: "error", error },
    ],
  ];
  for (const each of events) {
    const stream = encoded(messages, each, context());
    assertValid(messages, stream);
    assertEquals(stream.at(-1)?.event, "error");
    assertEquals(stream.at(-1), messages.encodeStreamError(error, context().requestId)[0]);
  }
});

Deno.test("messages keep-alive is a ping that the protocol allows", () => {
  assertEquals(messages.keepAlive, 'event: ping\ndata: {"type": "ping"}\n\n');
});
