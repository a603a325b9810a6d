import { assert } from "@std/assert";
import fc from "fast-check";
import { GatewayError, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { messages } from "../../../lib/formats/messages/mod.ts";
import { threadCpuTimeMs } from "../../cpu_time.ts";
import { wireOf } from "./wire.ts";
import { streamValidators } from "../validators/mod.ts";

/** Any input gives an answer or a typed error. */
function typed(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    assert(error instanceof GatewayError, `not a GatewayError: ${error}`);
  }
}

function nested(depth: number): JsonValue {
  let value: JsonValue = "x";
  for (let at = 0; at < depth; at++) value = at % 2 ? [value] : { a: value };
  return value;
}

const base = { model: "m", max_tokens: 1, messages: [{ role: "user", content: "x" }] };
const wild: JsonValue[] = [null, 0, -1, 1e309, "x", "", true, [], {}, [null], [[]], { type: 7 }];
const fields = [
  ...["model", "max_tokens", "messages", "system", "tools", "tool_choice", "thinking", "metadata"],
  ...[
    "output_config",
    "output_format",
    "cache_control",
    "stop_sequences",
    "service_tier",
    "stream",
  ],
];

for (const field of fields) {
  Deno.test(`messages request with a wild ${field} is refused or read`, () => {
    for (const value of wild) typed(() => read({ ...base, [field]: value }));
  });
}

const blockTypes = [
  ...["text", "image", "document", "search_result", "thinking", "redacted_thinking", "tool_use"],
  ...["tool_result", "tool_reference", "server_tool_use", "__proto__", "constructor", "toString"],
];

for (const type of blockTypes) {
  Deno.test(`messages request with wild members of a ${type} block is refused or read`, () => {
    const keys = [
      "text",
      "source",
      "data",
      "thinking",
      "input",
      "content",
      "id",
      "name",
      "citations",
    ];
    for (const value of wild) {
      for (const key of keys) {
        const block = { type, text: "t", id: "i", name: "n", input: {}, [key]: value };
        typed(() => read({ ...base, messages: [{ role: "user", content: [block] }] }));
        typed(() => read({ ...base, messages: [{ role: "assistant", content: [block] }] }));
      }
    }
  });
}

Deno.test("messages request that is nested deeply is refused or read", () => {
  const deep = nested(20_000) as JsonObject;
  const use = { type: "tool_use", id: "t", name: "f", input: { a: deep } };
  const bodies: JsonObject[] = [
    { ...base, system: deep },
    { ...base, unknown: deep },
    { ...base, messages: [{ role: "assistant", content: [use] }] },
    { ...base, messages: [{ role: "user", content: [{ type: "x", y: deep }] }] },
    { ...base, tools: [{ name: "f", input_schema: { type: "object", a: deep } }] },
    { ...base, output_config: { format: { type: "json_schema", schema: { a: deep } } } },
  ];
  for (const body of bodies) typed(() => messages.decodeRequest(wireOf(body)));
});

Deno.test("messages request with many wrong entries is refused quickly", () => {
  const startedAt = threadCpuTimeMs();
  typed(() =>
    read({ ...base, messages: new Array(100_000).fill({ role: "user", content: [{}] }) })
  );
  typed(() => read({ ...base, tools: new Array(100_000).fill({}) }));
  typed(() => read({ ...base, messages: new Array(100_000).fill(null) }));
  assert(threadCpuTimeMs() - startedAt < 5000);
});

Deno.test("messages request with many messages is read in linear time", () => {
  const turns = Array.from({ length: 20_000 }, (_, at) => [
    { role: "assistant", content: [{ type: "tool_use", id: `t${at}`, name: "f", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `t${at}`, content: "x" }] },
  ]).flat();
  const startedAt = threadCpuTimeMs();
  const request = messages.decodeRequest(
    wireOf({ ...base, messages: [...base.messages, ...turns] }),
  );
  encodeAtOnce(messages, { ...request, native: undefined });
  assert(threadCpuTimeMs() - startedAt < 5000);
});

Deno.test("messages: no JSON at all makes a decoder throw anything but its own errors", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const json = value as JsonValue; // sound: fast-check makes JSON
    typed(() => messages.decodeRequest(wireOf(json as JsonObject)));
    typed(() => messages.envelope(wireOf((json ?? {}) as JsonObject)));
    typed(() => messages.decodeResponse(json));
    messages.usageReader.usage(json);
    messages.decodeError({ status: 400, headers: {}, body: json });
  }));
});

const eventNames = ["message_start", "content_block_start", "content_block_delta"].concat(
  ["content_block_stop", "message_delta", "message_stop", "ping", "error"],
);
const event = fc.record({
  type: fc.constantFrom(...eventNames),
  index: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.jsonValue()),
  message: fc.jsonValue(),
  content_block: fc.oneof(
    fc.record({ type: fc.constantFrom("text", "thinking", "tool_use", "x"), text: fc.jsonValue() }),
    fc.jsonValue(),
  ),
  delta: fc.oneof(
    fc.record({
      type: fc.constantFrom("text_delta", "input_json_delta", "citations_delta", "signature_delta"),
      text: fc.jsonValue(),
      partial_json: fc.string(),
    }),
    fc.jsonValue(),
  ),
  usage: fc.jsonValue(),
});

Deno.test("messages: no order of wild events breaks the laws of canonical events", () => {
  fc.assert(fc.property(fc.array(event, { maxLength: 12 }), (stream) => {
    const decoder = messages.eventDecoder();
    const usageReader = messages.usageReader.stream();
    const validator = streamValidators.messages();
    const canonical = stream.flatMap((wire) => {
      const framed = { event: wire.type, data: JSON.stringify(wire) };
      usageReader.push(framed);
      validator.push(framed);
      return decoder.push(framed);
    });
    canonical.push(...decoder.end());
    usageReader.result();
    validator.end();
    assertOrder(
      canonical.map((each) => ({ type: each.type, index: "index" in each ? each.index : -1 })),
    );
  }));
});

/** Asserts one start, dense parts, one open at a time, one end. */
function assertOrder(events: readonly { type: string; index: number }[]): void {
  let open = -1;
  let next = 0;
  assert(events[0]?.type === "start");
  for (const { type, index } of events) {
    if (type === "part-start") {
      assert(open === -1 && index === next++);
      open = index;
    } else if (type === "part-delta") assert(open === index);
    else if (type === "part-end") {
      assert(open === index);
      open = -1;
    }
  }
  const last = events.at(-1)?.type;
  assert(last === "error" || (last === "end" && open === -1));
}

function read(body: JsonObject): void {
  const request = messages.decodeRequest(wireOf(body));
  encodeAtOnce(messages, request);
  encodeAtOnce(messages, { ...request, native: undefined });
}
