import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import { responses } from "../../../lib/formats/responses/mod.ts";
import { codecSuite } from "../codec_suite.ts";
import { accumulated, eventsOf, wireOf } from "./wire.ts";

const notAStream = "holds events of another, older API under this name";

codecSuite(responses, {
  wireOf,
  eventsOf,
  accumulate: accumulated,
  normalizeRequest,
  normalizeResponse,
  malformed: [
    { name: "a missing model", body: { input: "x" }, names: "model" },
    { name: "an empty model", body: { model: "", input: "x" }, names: "model" },
    ...([7, true, { a: 1 }] satisfies JsonValue[]).map((input) => ({
      name: `input ${JSON.stringify(input)}`,
      body: { model: "m", input },
      names: "input",
    })),
    { name: "an item that is null", body: { model: "m", input: [null] }, names: "input[0]" },
    { name: "an item that is a list", body: { model: "m", input: [[]] }, names: "input[0]" },
    { name: "an item without a type", body: { model: "m", input: [{}] }, names: "input[0].type" },
    {
      name: "an item with a type that is a number",
      body: { model: "m", input: [{ type: 4, role: "user", content: "x" }] },
      names: "input[0].type",
    },
    {
      name: "an unknown role",
      body: { model: "m", input: [{ role: "tool", content: "x" }] },
      names: "input[0].role",
    },
    ...([null, 7, { a: 1 }] satisfies JsonValue[]).map((content) => ({
      name: `content ${JSON.stringify(content)}`,
      body: { model: "m", input: [{ role: "user", content }] },
      names: "input[0].content",
    })),
    {
      name: "a content part that is a string",
      body: { model: "m", input: [{ role: "user", content: ["x"] }] },
      names: "input[0].content[0]",
    },
    {
      name: "a content part without a type",
      body: { model: "m", input: [{ role: "user", content: [{}] }] },
      names: "input[0].content[0].type",
    },
    {
      name: "a text that is null",
      body: {
        model: "m",
        input: [{ role: "user", content: [{ type: "input_text", text: null }] }],
      },
      names: "input[0].content[0].text",
    },
    {
      name: "an image without a source",
      body: { model: "m", input: [{ role: "user", content: [{ type: "input_image" }] }] },
      names: "input[0].content[0] needs image_url",
    },
    {
      name: "a file without a source",
      body: { model: "m", input: [{ role: "user", content: [{ type: "input_file" }] }] },
      names: "input[0].content[0] needs file_data",
    },
    {
      name: "a call without an id",
      body: { model: "m", input: [{ type: "function_call", name: "f", arguments: "{}" }] },
      names: "input[0].call_id",
    },
    {
      name: "arguments as an object",
      body: {
        model: "m",
        input: [{ type: "function_call", call_id: "c", name: "f", arguments: {} }],
      },
      names: "input[0].arguments",
    },
    {
      name: "an absent output",
      body: { model: "m", input: [{ type: "function_call_output", call_id: "c" }] },
      names: "input[0].output",
    },
    { name: "tools as an object", body: { model: "m", input: "x", tools: {} }, names: "tools" },
    {
      name: "a tool that is null",
      body: { model: "m", input: "x", tools: [null] },
      names: "tools[0]",
    },
    {
      name: "a tool without a name",
      body: { model: "m", input: "x", tools: [{ type: "function" }] },
      names: "tools[0].name",
    },
    {
      name: "parameters as a list",
      body: {
        model: "m",
        input: "x",
        tools: [{ type: "function", name: "f", parameters: [] }],
      },
      names: "tools[0].parameters",
    },
    {
      name: "a namespace without tools",
      body: { model: "m", input: "x", tools: [{ type: "namespace", name: "n" }] },
      names: "tools[0].tools",
    },
    {
      name: "an unknown tool choice",
      body: { model: "m", input: "x", tool_choice: "any" },
      names: "tool_choice",
    },
    {
      name: "a temperature in words",
      body: { model: "m", input: "x", temperature: "hot" },
      names: "temperature",
    },
    {
      name: "metadata of numbers",
      body: { model: "m", input: "x", metadata: { a: 1 } },
      names: "metadata.a",
    },
    {
      name: "a schema as a string",
      body: {
        model: "m",
        input: "x",
        text: { format: { type: "json_schema", name: "n", schema: "s" } },
      },
      names: "text.format.schema",
    },
    {
      name: "reasoning as a string",
      body: { model: "m", input: "x", reasoning: "high" },
      names: "reasoning",
    },
    {
      name: "include as a string",
      body: { model: "m", input: "x", include: "a" },
      names: "include",
    },
  ],
  skip: { "multimodalRequest/followup-response-streaming": notAStream },
});

/** A string equals one text; an item with a role is a message; `null` and empty optional lists count as absent. */
function normalizeRequest(body: JsonObject): JsonObject {
  const input = typeof body.input === "string"
    ? [{ role: "user", content: body.input }]
    : body.input;
  const { stream, ...rest } = body;
  return withoutNulls({
    ...rest,
    ...(stream === true && { stream }),
    ...(Array.isArray(input) && { input: input.map(normalizeItem) }),
  });
}

function normalizeItem(item: JsonValue): JsonValue {
  if (!isJsonObject(item)) return item;
  if (item.type === "reasoning") return withoutEmpty(item, "content");
  if (item.role === undefined || item.content === undefined) return item;
  const type = item.role === "assistant" ? "output_text" : "input_text";
  const content = typeof item.content === "string" ? [{ type, text: item.content }] : item.content;
  return { ...item, type: "message", content: listed(content).map(normalizeContent) };
}

function normalizeContent(part: JsonValue): JsonValue {
  return isJsonObject(part) ? withoutEmpty(withoutEmpty(part, "logprobs"), "annotations") : part;
}

function withoutEmpty(object: JsonObject, key: string): JsonObject {
  const { [key]: value, ...rest } = object;
  return Array.isArray(value) && value.length === 0 ? rest : object;
}

/**
 * The vendor's SDK computes `output_text`; `cache_write_tokens` was absent before the vendor
 * counted cache writes.
 */
function normalizeResponse(body: JsonObject): JsonObject {
  const { output_text: _, usage, ...rest } = body;
  return {
    ...rest,
    output: listed(rest.output).map(normalizeItem),
    ...(isJsonObject(usage) && { usage: normalizeUsage(usage) }),
  };
}

function normalizeUsage(usage: JsonObject): JsonObject {
  const details = isJsonObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  return { ...usage, input_tokens_details: { cache_write_tokens: 0, ...details } };
}

function listed(value: unknown): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function withoutNulls<T extends JsonValue>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_, inner) => inner === null ? undefined : inner));
}
