import type { JsonObject, JsonValue } from "../../lib/canonical/mod.ts";
import { messagesRules, signature } from "./messages/rules.ts";
import { strictSuite, type ViolationCase } from "./strict_suite.ts";

const user = (content: JsonValue = "hello") => ({ role: "user", content });
const model = (content: JsonValue) => ({ role: "assistant", content });
const use = (id: string, more: JsonObject = {}) => ({
  type: "tool_use",
  id,
  name: "get",
  input: {},
  ...more,
});
const result = (tool_use_id: string, more: JsonObject = {}) => ({
  type: "tool_result",
  tool_use_id,
  content: "one",
  ...more,
});
const text = (words: string, more: JsonObject = {}) => ({ type: "text", text: words, ...more });
const thinking = (words: string, proof = signature.sign(words)) => ({
  type: "thinking",
  thinking: words,
  signature: proof,
});
const tool = { name: "get", input_schema: { type: "object", properties: {} } };
const body = (more: JsonObject = {}, messages: JsonValue = [user()]): JsonObject => ({
  model: "claude-sonnet-4-5",
  max_tokens: 4000,
  messages,
  ...more,
});
const loop = [
  user(),
  model([use("toolu_1"), use("toolu_2")]),
  user([result("toolu_1"), result("toolu_2"), text("go on")]),
];
const thoughtful = [user(), model([thinking("hm"), use("toolu_1")]), user([result("toolu_1")])];
const manual = { type: "enabled", budget_tokens: 1024 };
const cached = { cache_control: { type: "ephemeral" } };
const image = (media_type: string) => ({
  type: "image",
  source: { type: "base64", media_type, data: "AAAA" },
});
const closed = { type: "object", properties: {}, additionalProperties: false };

const shapes: readonly (ViolationCase & { readonly name: string })[] = ([
  ["no max_tokens", { model: "m", messages: [user()] }],
  ["an unknown role", body({}, [{ role: "tool", content: "x" }])],
  [
    "an id with a dot",
    body({ tools: [tool] }, [user(), model([use("a.b")]), user([result("a.b")])]),
  ],
  ["an empty id", body({ tools: [tool] }, [user(), model([use("")]), user([result("")])])],
  [
    "arguments as text",
    body({ tools: [tool] }, [user(), model([use("a", { input: "{}" })]), user([result("a")])]),
  ],
  ["temperature over 1", body({ temperature: 1.2 })],
  ["an image type that it cannot read", body({}, [user([image("image/tiff")])])],
  ["thinking by the user", body({}, [user([thinking("x")])])],
  ["a result by the assistant", body({}, [user(), model([result("a")])])],
  ["a budget under 1024", body({ thinking: { type: "enabled", budget_tokens: 100 } })],
  [
    "a cache of 30 minutes",
    body({}, [user([text("x", { cache_control: { type: "ephemeral", ttl: "30m" } })])]),
  ],
  ["JSON mode", body({ output_config: { format: { type: "json_object" } } })],
] as const).map(([name, value]) => ({ rule: "shape", name, body: value }));

strictSuite("messages", {
  path: "/v1/messages",
  headers: { "anthropic-version": "2023-06-01" },
  rules: messagesRules.map(({ name }) => name),
  good: {
    "a plain question": body(),
    "a call that only fills the cache": body({ max_tokens: 0 }, [user([text("x", cached)])]),
    "a tool loop with two results and text after them": body({ tools: [tool] }, loop),
    "signed thinking in a tool loop": body({ tools: [tool], thinking: manual }, thoughtful),
    "an image, a schema and four breakpoints": body({
      system: [text("be brief", cached)],
      output_config: { format: { type: "json_schema", schema: closed } },
      tools: [{ ...tool, ...cached }],
    }, [user([image("image/png"), text("what", cached)]), model([text("a cat", cached)]), user()]),
  },
  violations: [
    ...shapes,
    { rule: "unknown fields", name: "on top", body: body({ seed: 1 }) },
    {
      rule: "unknown fields",
      name: "parallel on none",
      body: body({ tools: [tool], tool_choice: { type: "none", disable_parallel_tool_use: true } }),
    },
    {
      rule: "unknown fields",
      name: "in a block",
      body: body({}, [user([text("x", { phase: 1 })])]),
    },
    {
      rule: "unknown fields",
      name: "in a call",
      body: body({ tools: [tool] }, [
        user(),
        model([use("a", { strict: true })]),
        user([result("a")]),
      ]),
    },
    { rule: "version header", body: body(), headers: {} },
    { rule: "fields of a beta", body: body({ context_management: { edits: [] } }) },
    {
      rule: "sampling with the newer version",
      body: body({ temperature: 1 }),
      headers: { "anthropic-version": "2026-10-21" },
    },
    {
      rule: "sampling with newer models",
      body: body({ model: "claude-opus-5", temperature: 0.5 }),
    },
    { rule: "sampling with manual thinking", body: body({ thinking: manual, temperature: 0.5 }) },
    { rule: "temperature or top_p", body: body({ temperature: 0.5, top_p: 0.5 }) },
    { rule: "output limit of the model", body: body({ max_tokens: 70_000 }) },
    ...[{ stream: true }, { tools: [tool], tool_choice: { type: "any" } }, {
      output_config: { format: { type: "json_schema", schema: closed } },
    }].map((more) => ({
      rule: "no answer of a call that fills the cache",
      name: Object.keys(more)[0],
      body: body({ max_tokens: 0, ...more }),
    })),
    {
      rule: "order of cache lifetimes",
      body: body({ tools: [{ ...tool, ...cached }] }, [
        user([text("x", { cache_control: { type: "ephemeral", ttl: "1h" } })]),
      ]),
    },
    { rule: "thinking budget", body: body({ thinking: manual, max_tokens: 1024 }) },
    { rule: "way of thinking of the model", body: body({ thinking: { type: "adaptive" } }) },
    {
      rule: "forced tool with manual thinking",
      body: body({ thinking: manual, tools: [tool], tool_choice: { type: "any" } }),
    },
    { rule: "tool choice without tools", body: body({ tool_choice: { type: "auto" } }) },
    {
      rule: "tool choice without tools",
      body: body({ tools: [tool], tool_choice: { type: "tool", name: "other" } }),
    },
    { rule: "unique tool names", body: body({ tools: [tool, tool] }) },
    { rule: "tool schemas", body: body({ tools: [{ name: "get", input_schema: {} }] }) },
    {
      rule: "answer schema",
      body: body({
        output_config: {
          format: { type: "json_schema", schema: { ...closed, additionalProperties: true } },
        },
      }),
    },
    {
      rule: "answer schema",
      body: body({
        output_config: {
          format: { type: "json_schema", schema: { type: "string", pattern: "a" } },
        },
      }),
    },
    { rule: "tools beside tool blocks", body: body({}, loop) },
    { rule: "empty texts", body: body({}, [user([text("")])]) },
    {
      rule: "empty texts",
      name: "inside a result",
      body: body({ tools: [tool] }, [
        user(),
        model([use("a")]),
        user([result("a", { content: [text("")] })]),
      ]),
    },
    { rule: "empty content", body: body({}, [user([])]) },
    {
      rule: "system messages in their place",
      body: body({ model: "claude-opus-4-8" }, [{ role: "system", content: "x" }, user()]),
    },
    {
      rule: "system messages in their place",
      body: body({}, [user(), { role: "system", content: "x" }]),
    },
    { rule: "alternating turns", body: body({}, [user(), user()]) },
    { rule: "alternating turns", body: body({}, [model("x"), user()]) },
    { rule: "prefill", body: body({}, [user(), model("so ")]) },
    {
      rule: "results of calls",
      name: "unanswered",
      body: body({ tools: [tool] }, [user(), model([use("a")]), user()]),
    },
    {
      rule: "results of calls",
      name: "half answered",
      body: body({ tools: [tool] }, [user(), model([use("a"), use("b")]), user([result("a")])]),
    },
    {
      rule: "results of calls",
      name: "nobody asked",
      body: body({ tools: [tool] }, [user([result("a")])]),
    },
    {
      rule: "results of calls",
      name: "asked too long ago",
      body: body({ tools: [tool] }, [...loop, model("ok"), user([result("toolu_1")])]),
    },
    {
      rule: "results first",
      body: body({ tools: [tool] }, [user(), model([use("a")]), user([text("x"), result("a")])]),
    },
    {
      rule: "unique call ids",
      body: body({ tools: [tool] }, [
        user(),
        model([use("a")]),
        user([result("a")]),
        model([use("a")]),
        user([result("a")]),
      ]),
    },
    {
      rule: "cache breakpoints",
      body: body({}, [user([1, 2, 3, 4, 5].map((n) => text(`${n}`, cached)))]),
    },
    { rule: "cache on empty text", body: body({}, [user([text("", cached)])]) },
    {
      rule: "signatures",
      name: "foreign",
      body: body({ tools: [tool] }, [
        user(),
        model([thinking("x", "Zm9yZWlnbg=="), use("a")]),
        user([result("a")]),
      ]),
    },
    {
      rule: "signatures",
      name: "of altered text",
      body: body({ tools: [tool] }, [
        user(),
        model([thinking("x", signature.sign("y")), use("a")]),
        user([result("a")]),
      ]),
    },
    { rule: "thinking in a tool loop", body: body({ tools: [tool], thinking: manual }, loop) },
    { rule: "an address as end user", body: body({ metadata: { user_id: "ada@example.com" } }) },
  ],
});
