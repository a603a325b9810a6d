import { assert, assertEquals } from "@std/assert";
import {
  type CanonicalEvent,
  eventsOf as canonicalEventsOf,
  GatewayError,
  type JsonObject,
  type Part,
  type Tool,
} from "../../../lib/canonical/mod.ts";
import { responses } from "../../../lib/formats/responses/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { assertValid, contextOf, encoded } from "../codec_suite.ts";
import { wireOf } from "./wire.ts";
import { streamValidators } from "../validators/mod.ts";

const noContext = contextOf({});

function encodedParts(parts: readonly Part[], tools: readonly Tool[] = []): ServerSentEvent[] {
  const response = {
    id: "up",
    model: "up",
    alternatives: [{ finishReason: "stop" as const, parts }],
  };
  const context = { ...noContext, request: { ...noContext.request, tools } };
  return encoded(responses, canonicalEventsOf(response), context);
}

function wireOfEvents(events: readonly ServerSentEvent[]): JsonObject[] {
  return events.map(({ data }) => JSON.parse(data));
}

function terminalOf(events: readonly ServerSentEvent[]) {
  const last = wireOfEvents(events).at(-1);
  // sound: JSON that this test just encoded
  return last as unknown as {
    type: string;
    response: { output: JsonObject[]; status: string; usage: JsonObject };
  };
}

const everyPart: readonly Part[] = [
  {
    type: "reasoning",
    text: "why",
    visibility: "summary",
    continuation: { issuer: "messages", data: "s" },
  },
  { type: "reasoning", text: "raw", visibility: "raw" },
  {
    type: "reasoning",
    text: "",
    visibility: "redacted",
    continuation: { issuer: "messages", data: "r" },
  },
  { type: "text", text: "é😀", citations: [{ url: "https://x.test" }, { quote: "lost" }] },
  { type: "text", text: "" },
  { type: "refusal", text: "no" },
  { type: "tool-call", id: "a", name: "f", arguments: "", kind: "function" },
  { type: "tool-call", id: "", name: "g", arguments: '{"x":1}', kind: "function" },
  { type: "tool-call", id: "c", name: "h", arguments: "free", kind: "custom" },
  { type: "image", source: { type: "base64", data: "AA==" }, mediaType: "image/webp" },
  { type: "audio", source: { type: "base64", data: "AA==" } },
  { type: "native", format: "messages", value: {} },
];

Deno.test("eventEncoder keeps the protocol for every part of another format", () => {
  const events = encodedParts(everyPart);
  assertValid(responses, events);
  const { type, response } = terminalOf(events);
  assertEquals([type, response.status], ["response.completed", "completed"]);
  assertEquals(response.output.map((item) => item.type), [
    "reasoning",
    "reasoning",
    "reasoning",
    "message",
    "function_call",
    "function_call",
    "custom_tool_call",
    "image_generation_call",
  ]);
  const ids = response.output.map(({ id }) => id);
  assertEquals(new Set(ids).size, ids.length);
  assertEquals(response.output[4].arguments, "{}");
  assert(String(response.output[5].call_id).startsWith("call_"));
});

Deno.test("encodeResponse is the response of the stream's last event", () => {
  const response = {
    id: "up",
    model: "up",
    alternatives: [{ finishReason: "stop" as const, parts: everyPart }],
  };
  assertEquals(
    JSON.parse(JSON.stringify(responses.encodeResponse(response, noContext))),
    terminalOf(encodedParts(everyPart)).response,
  );
});

Deno.test("eventEncoder gives calls back the names, namespaces and kinds of the caller's tools", () => {
  const tools: Tool[] = [
    { type: "custom", name: "apply_patch" },
    { type: "function", name: "find", namespace: "crm" },
    { type: "custom", name: "note", namespace: "crm" },
    { type: "function", name: "plain" },
  ];
  const fn = (name: string, text: string): Part => ({
    type: "tool-call",
    id: name,
    name,
    arguments: text,
    kind: "function",
  });
  const events = encodedParts([
    fn("apply_patch", '{"input":"*** Begin"}'),
    fn("crm__find", "{}"),
    fn("crm__note", '{"input":"n"}'),
    fn("plain", '{"input":"kept"}'),
    fn("apply_patch", "not wrapped"),
  ], tools);
  assertValid(responses, events);
  assertEquals(
    terminalOf(events).response.output.map((
      { type, name, namespace, input, arguments: text },
    ) => [type, name, namespace ?? null, input ?? text]),
    [
      ["custom_tool_call", "apply_patch", null, "*** Begin"],
      ["function_call", "find", "crm", "{}"],
      ["custom_tool_call", "note", "crm", "n"],
      ["function_call", "plain", null, '{"input":"kept"}'],
      ["custom_tool_call", "apply_patch", null, "not wrapped"],
    ],
  );
});

Deno.test("proofs of other vendors survive the caller, each on its part", () => {
  const proof = { issuer: "generate-content", data: "g" } as const;
  const parts: Part[] = [
    {
      type: "reasoning",
      text: "why",
      visibility: "summary",
      continuation: { issuer: "messages", data: "s" },
    },
    {
      type: "reasoning",
      text: "",
      visibility: "redacted",
      continuation: { issuer: "messages", data: "r" },
    },
    {
      type: "reasoning",
      text: "",
      visibility: "summary",
      continuation: { issuer: "messages", data: "e" },
    },
    { type: "text", text: "t", continuation: proof },
    {
      type: "tool-call",
      id: "a",
      name: "f",
      arguments: "{}",
      kind: "function",
      continuation: proof,
    },
    { type: "tool-call", id: "b", name: "f", arguments: "{}", kind: "function" },
  ];
  // Known at the start of a part as in a whole answer, or only at its end as in a stream.
  const late = [
    ...canonicalEventsOf({ id: "u", model: "u", alternatives: [{ finishReason: "stop", parts }] }),
  ]
    .map((event): CanonicalEvent =>
      event.type === "part-start"
        ? { ...event, part: { ...event.part, continuation: undefined } }
        : event
    );
  for (const events of [encodedParts(parts), encoded(responses, late, noContext)]) {
    assertValid(responses, events);
    const request = responses.decodeRequest(
      wireOf({ model: "m", input: terminalOf(events).response.output }),
    );
    const replayed = request.turns.flatMap((turn) => turn.parts);
    assertEquals(
      replayed.map((
        { type, continuation },
      ) => [type, continuation?.issuer ?? null, continuation?.data ?? null]),
      parts.map((
        { type, continuation },
      ) => [type, continuation?.issuer ?? null, continuation?.data ?? null]),
    );
    assertEquals(
      replayed.map((part) => part.type === "reasoning" ? part.visibility : null).slice(0, 3),
      ["summary", "redacted", "summary"],
    );
  }
});

Deno.test("eventEncoder marks the last item of an answer that was cut as incomplete", () => {
  const events = encoded(
    responses,
    canonicalEventsOf({
      id: "u",
      model: "u",
      alternatives: [{
        finishReason: "length",
        parts: [
          { type: "text", text: "a" },
          { type: "tool-call", id: "c", name: "f", arguments: '{"x', kind: "function" },
        ],
      }],
    }),
    noContext,
  );
  assertValid(responses, events);
  const { type, response } = terminalOf(events);
  assertEquals(type, "response.incomplete");
  assertEquals(response.output.map(({ status }) => status), ["completed", "incomplete"]);
});

Deno.test("eventEncoder ends in error and response.failed, and says nothing after them", () => {
  const error = new GatewayError("upstream_overloaded", "Busy");
  for (
    const before of [[], [{ type: "start", id: "u", model: "u" }, {
      type: "part-start",
      index: 0,
      part: { type: "text", text: "" },
    }]]
  ) {
    // sound: literal canonical events
    const events = encoded(responses, [...before as CanonicalEvent[], { type: "error", error }, {
      type: "end",
      endings: [],
    }], noContext);
    assertValid(responses, events);
    const [first, ...rest] = wireOfEvents(events);
    assertEquals(first.type, "response.created");
    assertEquals(rest.slice(-2).map(({ type }) => type), ["error", "response.failed"]);
  }
});

Deno.test("encodeStreamError may follow any events, and goes on from their numbers and their response", () => {
  const events = encodedParts([{ type: "text", text: "x" }]);
  for (let count = 1; count < 6; count++) {
    const validator = streamValidators.responses();
    const sent = events.slice(0, count);
    for (const event of sent) validator.push(event);
    const error = new GatewayError("upstream_timeout", "Late");
    const last = responses.encodeStreamError(error, "req_1", {
      first: sent[0],
      last: sent.at(-1),
      count,
    });
    for (const event of last) validator.push(event);
    assertEquals(validator.end(), []);
    const idOf = ({ data }: { data: string }) => JSON.parse(data).response.id;
    assertEquals(idOf(last[1]), idOf(sent[0]));
  }
});

Deno.test("encodeStreamError begins at 0 where nothing was sent, and counts events without numbers", () => {
  const error = new GatewayError("upstream_timeout", "Late");
  const numbers = (sent?: Parameters<typeof responses.encodeStreamError>[2]) =>
    responses.encodeStreamError(error, "req_1", sent)
      .map(({ data }) => JSON.parse(data).sequence_number);
  const bare = { event: "response.created", data: '{"type":"response.created","response":{}}' };
  assertEquals(numbers(), [0, 1]);
  assertEquals(numbers({ first: bare, last: bare, count: 3 }), [3, 4]);
});

Deno.test("eventEncoder echoes the caller's request", () => {
  const request = responses.decodeRequest(wireOf({
    model: "m",
    instructions: "be",
    input: [{ role: "developer", content: "dev" }, { role: "user", content: "x" }],
    tools: [{ type: "custom", name: "c" }],
    tool_choice: "required",
    temperature: 0.5,
    metadata: { a: "b" },
    text: { verbosity: "low" },
    reasoning: { effort: "low" },
    truncation: "auto",
    store: true,
  }));
  const answer = {
    id: "u",
    model: "u",
    alternatives: [{ finishReason: "stop" as const, parts: [] }],
  };
  const settings = {
    instructions: "be",
    tools: [{ type: "custom", name: "c" }],
    tool_choice: "required",
    temperature: 0.5,
    metadata: { a: "b" },
    text: { format: { type: "text" }, verbosity: "low" },
    reasoning: { effort: "low", summary: null },
    truncation: "auto",
    store: false, // answers of other formats' upstreams are not stored
    model: "asked",
  };
  const body = responses.encodeResponse(answer, { ...noContext, request, model: "asked" });
  assertEquals({ ...body, ...settings }, body);
});

Deno.test("eventEncoder replaces a call id that callers of this format could not send back", () => {
  const id = "é".repeat(70);
  const call: Part = { type: "tool-call", id, name: "f", arguments: "{}", kind: "function" };
  const [item] = terminalOf(encodedParts([call])).response.output;
  assert(/^call_[0-9a-f]{24}$/.test(String(item.call_id)));
});
