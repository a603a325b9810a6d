import { assert, assertEquals } from "@std/assert";
import { GatewayError, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { responses } from "../../../lib/formats/responses/mod.ts";
import { threadCpuTimeMs } from "../../cpu_time.ts";
import { decode, thrownBy, wireOf } from "./wire.ts";

for (
  const { name, body, path } of [
    { name: "no model", body: { input: "x" }, path: "model" },
    { name: "a model that is a number", body: { model: 1, input: "x" }, path: "model" },
    { name: "no input", body: { model: "m" }, path: "input" },
    {
      name: "input that is an object",
      body: { model: "m", input: {}, prompt: { id: "p" } },
      path: "input",
    },
  ]
) {
  Deno.test(`envelope refuses ${name}`, () => {
    const error = thrownBy(() => responses.envelope(wireOf(body)));
    assertEquals([error.code, error.param], ["invalid_request", path]);
  });
}

Deno.test("envelope reads model and stream, and accepts held state instead of input", () => {
  const { conversation, ...envelope } = responses.envelope(
    wireOf({ model: "a/b:c@d", input: [], stream: true }),
  );
  assertEquals(conversation?.(), undefined);
  assertEquals(envelope, {
    model: "a/b:c@d",
    maxOutputTokens: undefined,
    alternatives: 1,
    vendorState: undefined,
    stream: true,
    framing: "sse",
  });
  assertEquals(
    responses.envelope(wireOf({ model: "m", previous_response_id: "resp_1" })).stream,
    false,
  );
});

Deno.test("tokenCount asks for what is counted and leaves out what only limits the answer", () => {
  const { tokenCount } = responses;
  assert(tokenCount);
  const wire = tokenCount.encodeRequest(
    tokenCount.decodeRequest(wireOf({
      model: "m",
      input: "x",
      instructions: "i",
      max_output_tokens: 20,
      store: true,
      personality: "friendly",
      tools: [{ type: "custom", name: "c" }],
    })),
  );
  assertEquals(wire.path, "/responses/input_tokens");
  assertEquals(Object.keys(wire.body).toSorted(), [
    "input",
    "instructions",
    "model",
    "personality",
    "tools",
  ]);
  assertEquals(tokenCount.encodeResponse(12), {
    object: "response.input_tokens",
    input_tokens: 12,
  });
  assertEquals(tokenCount.decodeResponse({ input_tokens: 12 }), 12);
  for (
    const bad of [null, [], {}, { input_tokens: "12" }, { input_tokens: -1 }, { input_tokens: 1.5 }]
  ) {
    assertEquals(thrownBy(() => tokenCount.decodeResponse(bad)).code, "upstream_invalid_response");
  }
});

const hostile: readonly JsonValue[] = [
  null,
  7,
  -1,
  true,
  "x",
  [],
  [[]],
  {},
  { type: {} },
  nested(200),
];

/** Every field, and every member of every item, with every kind of value gives a typed error or a request. */
Deno.test("decodeRequest and encodeRequest never throw anything but a GatewayError", () => {
  const fields = [
    "input",
    "instructions",
    "tools",
    "tool_choice",
    "prompt",
    "stream",
    "stream_options",
    "store",
    "include",
    "user",
    "max_output_tokens",
    "max_tool_calls",
    "temperature",
    "top_p",
    "top_logprobs",
    "reasoning",
    "text",
    "metadata",
    "parallel_tool_calls",
    "service_tier",
    "prompt_cache_key",
    "safety_identifier",
    "truncation",
  ];
  const types = [
    "message",
    "reasoning",
    "function_call",
    "custom_tool_call",
    "function_call_output",
    "custom_tool_call_output",
    "web_search_call",
    "item_reference",
    "__proto__",
    "constructor",
  ];
  const members = [
    "role",
    "content",
    "summary",
    "output",
    "arguments",
    "input",
    "call_id",
    "name",
    "id",
    "status",
    "namespace",
    "encrypted_content",
  ];
  for (const value of hostile) {
    for (const field of fields) survives({ model: "m", input: "x", [field]: value });
    for (const type of types) {
      for (const member of members) {
        const item = {
          type,
          role: "user",
          content: "x",
          call_id: "c",
          name: "n",
          arguments: "{}",
          input: "i",
          output: "o",
          summary: [],
        };
        survives({ model: "m", input: [{ ...item, [member]: value }] });
        survives({
          model: "m",
          input: [{
            ...item,
            role: "assistant",
            content: [{ type: "output_text", text: "t", annotations: value, logprobs: value }],
          }],
        });
      }
    }
    survives({
      model: "m",
      input: "x",
      tools: [{
        type: "function",
        name: "f",
        [String(value)]: value,
        parameters: { properties: value, required: value },
      }],
    });
    survives({ model: "m", input: "x", tools: [{ type: "namespace", name: "f", tools: [value] }] });
    survives({
      model: "m",
      input: "x",
      text: {
        format: { type: "json_schema", name: "n", schema: { type: "object" }, strict: value },
      },
    });
  }
});

function survives(body: JsonObject): void {
  try {
    encodeAtOnce(responses, responses.decodeRequest(wireOf(body)));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}

function nested(depth: number): JsonValue {
  let value: JsonValue = "x";
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { content: value };
  return value;
}

Deno.test("decodeRequest reads a large request in little time", () => {
  const input = Array.from({ length: 20_000 }, (_, index) => ({
    role: index % 2 ? "assistant" : "user",
    content: [{ type: index % 2 ? "output_text" : "input_text", text: "x" }],
  }));
  const began = threadCpuTimeMs();
  assertEquals(decode({ input }).turns.length, 20_000);
  assert(threadCpuTimeMs() - began < 5_000);
});
