import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import { messages } from "../../../lib/formats/messages/mod.ts";
import { codecSuite } from "../codec_suite.ts";
import { accumulated, eventsOf, wireOf } from "./wire.ts";

const user = { role: "user", content: "x" };
const asked = (content: JsonValue): JsonObject => ({
  model: "m",
  max_tokens: 1,
  messages: [{ role: "user", content }],
});
const said = (block: JsonObject): JsonObject => ({
  model: "m",
  max_tokens: 1,
  messages: [user, { role: "assistant", content: [block] }],
});
const withField = (field: string, value: JsonValue): JsonObject => ({
  model: "m",
  max_tokens: 1,
  messages: [user],
  [field]: value,
});
const wrong = [null, 7, true, { a: 1 }, [[[]]]] satisfies JsonValue[];

codecSuite(messages, {
  wireOf,
  eventsOf,
  accumulate: accumulated,
  normalizeRequest: (body) => normalized(body),
  normalizeResponse: (body) => normalized(body),
  malformed: [
    { name: "a body without anything", body: {}, names: "model" },
    { name: "an empty model", body: { ...asked("x"), model: "" }, names: "model" },
    ...wrong.map((model) => ({
      name: `model ${JSON.stringify(model)}`,
      body: { ...asked("x"), model },
      names: "model",
    })),
    {
      name: "a missing max_tokens",
      body: { model: "m", messages: [user] },
      names: "max_tokens",
    },
    ...([null, "7", 1.5, -1, [], {}] satisfies JsonValue[]).map((max_tokens) => ({
      name: `max_tokens ${JSON.stringify(max_tokens)}`,
      body: { ...asked("x"), max_tokens },
      names: "max_tokens",
    })),
    ...([null, 7, "x", {}, []] satisfies JsonValue[]).map((list) => ({
      name: `messages ${JSON.stringify(list)}`,
      body: { model: "m", max_tokens: 1, messages: list },
      names: "messages",
    })),
    ...([null, 7, "x", []] satisfies JsonValue[]).map((entry) => ({
      name: `a message that is ${JSON.stringify(entry)}`,
      body: { model: "m", max_tokens: 1, messages: [user, entry] },
      names: "messages[1]",
    })),
    {
      name: "an unknown role",
      body: { model: "m", max_tokens: 1, messages: [{ role: "tool", content: "x" }] },
      names: "messages[0].role must be user, assistant or system",
    },
    ...([null, 7, { a: 1 }] satisfies JsonValue[]).map((content) => ({
      name: `content ${JSON.stringify(content)}`,
      body: asked(content),
      names: "messages[0].content must be a string or an array of parts",
    })),
    { name: "a block that is a string", body: asked(["x"]), names: "messages[0].content[0]" },
    { name: "a block without a type", body: asked([{}]), names: "messages[0].content[0].type" },
    {
      name: "a block whose type is inherited",
      body: asked([{ type: ["text"] }]),
      names: "messages[0].content[0].type",
    },
    {
      name: "a text that is null",
      body: asked([{ type: "text", text: null }]),
      names: "messages[0].content[0].text",
    },
    {
      name: "an image without a source",
      body: asked([{ type: "image" }]),
      names: "messages[0].content[0].source",
    },
    {
      name: "an image whose data are a number",
      body: asked([{ type: "image", source: { type: "base64", data: 4 } }]),
      names: "messages[0].content[0].source.data",
    },
    {
      name: "a document whose url is missing",
      body: asked([{ type: "document", source: { type: "url" } }]),
      names: "messages[0].content[0].source.url",
    },
    {
      name: "a call without an id",
      body: said({ type: "tool_use", name: "f", input: {} }),
      names: "messages[1].content[0].id",
    },
    ...([null, "{}", 7, []] satisfies JsonValue[]).map((input) => ({
      name: `the input ${JSON.stringify(input)}`,
      body: said({ type: "tool_use", id: "t", name: "f", input }),
      names: "messages[1].content[0].input",
    })),
    {
      name: "thinking that is a list",
      body: said({ type: "thinking", thinking: [], signature: "s" }),
      names: "messages[1].content[0].thinking",
    },
    {
      name: "a result without its call's id",
      body: asked([{ type: "tool_result", content: "x" }]),
      names: "messages[0].content[0].tool_use_id",
    },
    {
      name: "a block within a result that is null",
      body: asked([{ type: "tool_result", tool_use_id: "t", content: [null] }]),
      names: "messages[0].content[0].content[0]",
    },
    {
      name: "a text within a result that is a number",
      body: asked([{
        type: "tool_result",
        tool_use_id: "t",
        content: [{ type: "text", text: 1 }],
      }]),
      names: "messages[0].content[0].content[0].text",
    },
    ...[
      ["system", 7],
      ["system", [{ type: "text" }]],
      ["stream", "yes"],
      ["temperature", "hot"],
      ["stop_sequences", "stop"],
      ["stop_sequences", [1]],
      ["tools", {}],
      ["tools", [null]],
      ["tools", [{ name: "f" }]],
      ["tools", [{ input_schema: {} }]],
      ["tools", [{ type: 4 }]],
      ["tool_choice", "auto"],
      ["tool_choice", { type: "tool" }],
      ["thinking", true],
      ["thinking", { type: "enabled", budget_tokens: "many" }],
      ["output_config", []],
      ["output_config", { format: { type: "json_schema", schema: "{}" } }],
      ["metadata", "x"],
      ["metadata", { user_id: 7 }],
      ["service_tier", {}],
    ].map(([field, value]) => ({
      name: `${field} ${JSON.stringify(value)}`,
      body: withField(String(field), value as JsonValue),
      names: String(field),
    })),
  ],
});

/** A string equals one text block; the newer version writes `null` instead of omitting a member. */
function normalized(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(([, inner]) => inner !== null).map(([key, inner]) => [
      key,
      key === "content" || key === "system" ? blocks(inner) : inner,
    ]).map(([key, inner]) => [key, key === "messages" ? listed(inner as JsonValue) : inner]),
  );
}

function listed(value: JsonValue): JsonValue {
  return Array.isArray(value) ? value.filter(isJsonObject).map(normalized) : value;
}

function blocks(value: JsonValue | undefined): JsonValue {
  if (typeof value === "string") return [{ type: "text", text: value }];
  return listed(value ?? null);
}
