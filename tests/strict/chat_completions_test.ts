import type { JsonObject, JsonValue } from "../../lib/canonical/mod.ts";
import { chatRules } from "./chat_completions/rules.ts";
import { strictSuite } from "./strict_suite.ts";

const user = (content: JsonValue = "hello") => ({ role: "user", content });
const call = (id: string, args: JsonValue = "{}") => ({
  id,
  type: "function",
  function: { name: "get", arguments: args },
});
const calls = (...list: JsonObject[]) => ({ role: "assistant", content: null, tool_calls: list });
const result = (tool_call_id: string, content: JsonValue = "one") => ({
  role: "tool",
  tool_call_id,
  content,
});
const tool = (more: JsonObject = {}) => ({
  type: "function",
  function: { name: "get", parameters: { type: "object", properties: {} }, ...more },
});
const body = (more: JsonObject = {}, messages: JsonValue = [user()]): JsonObject => ({
  model: "gpt-5.1",
  messages,
  ...more,
});
const image = (url: string) => ({ type: "image_url", image_url: { url } });
const schema = (inner: JsonObject, strict = true) => ({
  response_format: { type: "json_schema", json_schema: { name: "place", strict, schema: inner } },
});
const loop = [user(), calls(call("a"), call("b")), result("a"), result("b")];
const long = "c".repeat(41);

strictSuite("chat-completions", {
  path: "/chat/completions",
  headers: {},
  rules: chatRules.map(({ name }) => name),
  good: {
    "a plain question": body(),
    "a tool loop": body({ tools: [tool()] }, loop),
    "an image and a schema": body(
      schema({
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        additionalProperties: false,
      }),
      [user([image("data:image/png;base64,AAAA"), { type: "text", text: "what" }])],
    ),
    "a stream with its usage": body({ stream: true, stream_options: { include_usage: true } }),
    "open reasoning of another vendor": body({ model: "deepseek-reasoner" }, [user(), {
      role: "assistant",
      content: "x",
      reasoning_content: "y",
    }, user()]),
  },
  violations: [
    ...([
      ["an unknown role", body({}, [{ role: "model", content: "x" }])],
      [
        "arguments as an object",
        body({ tools: [tool()] }, [user(), calls(call("a", {})), result("a")]),
      ],
      [
        "an id over 40 characters",
        body({ tools: [tool()] }, [user(), calls(call(long)), result(long)]),
      ],
      ["no calls in the list of calls", body({}, [user(), calls(), user()])],
      [
        "an image in a tool message",
        body({ tools: [tool()] }, [
          user(),
          calls(call("a")),
          result("a", [image("https://x.test/a.png")]),
        ]),
      ],
      [
        "an image type that it cannot read",
        body({}, [user([image("data:image/tiff;base64,AAAA")])]),
      ],
      ["a temperature over 2", body({ temperature: 2.5 })],
      ["five stop sequences", body({ stop: ["a", "b", "c", "d", "e"] })],
      ["an empty list of tools", body({ tools: [] })],
      [
        "a schema without a name",
        body({ response_format: { type: "json_schema", json_schema: { schema: {} } } }),
      ],
      ["no messages", body({}, [])],
    ] as const).map(([name, value]) => ({ rule: "shape", name, body: value })),
    { rule: "unknown fields", name: "on top", body: body({ top_k: 1 }) },
    {
      rule: "unknown fields",
      name: "in a message",
      body: body({}, [{ ...user(), cache_control: {} }]),
    },
    {
      rule: "proofs of calls",
      body: body({ tools: [tool()] }, [
        user(),
        calls({ ...call("a"), extra_content: {} }),
        result("a"),
      ]),
    },
    {
      rule: "stream options without a stream",
      body: body({ stream_options: { include_usage: true } }),
    },
    { rule: "parameters that reasoning models refuse", body: body({ max_tokens: 10 }) },
    { rule: "parameters that reasoning models refuse", body: body({ temperature: 0.3 }) },
    { rule: "logprobs", body: body({ top_logprobs: 2 }) },
    {
      rule: "reasoning of other models",
      body: body({ model: "gpt-4.1", reasoning_effort: "low" }),
    },
    { rule: "tool settings without tools", body: body({ tool_choice: "auto" }) },
    { rule: "tool settings without tools", body: body({ parallel_tool_calls: false }) },
    {
      rule: "tool choice of an unknown tool",
      body: body({
        tools: [tool()],
        tool_choice: { type: "function", function: { name: "other" } },
      }),
    },
    { rule: "unique tool names", body: body({ tools: [tool(), tool()] }) },
    {
      rule: "tool schemas",
      name: "not an object",
      body: body({ tools: [tool({ parameters: { type: "string" } })] }),
    },
    {
      rule: "tool schemas",
      name: "strict and open",
      body: body({ tools: [tool({ strict: true })] }),
    },
    {
      rule: "answer schema",
      body: body(schema({ type: "object", properties: { a: {} }, additionalProperties: false })),
    },
    { rule: "answer schema", body: body(schema({ type: "array" }, false)) },
    {
      rule: "the word JSON in JSON mode",
      body: body({ response_format: { type: "json_object" } }),
    },
    {
      rule: "an assistant that says nothing",
      body: body({}, [user(), { role: "assistant", content: null }, user()]),
    },
    {
      rule: "thoughts in a message",
      body: body({}, [user(), { role: "assistant", content: "x", reasoning_content: "y" }, user()]),
    },
    {
      rule: "thoughts in a message",
      name: "of another kind of model",
      body: body({ model: "deepseek-reasoner" }, [
        user(),
        { role: "assistant", content: "x", reasoning: "y" },
        user(),
      ]),
    },
    {
      rule: "details of reasoning",
      name: "foreign",
      body: body({ model: "some/model" }, [
        user(),
        {
          role: "assistant",
          content: "x",
          reasoning_details: [{ type: "reasoning.encrypted", data: "Zm9yZWlnbg==", index: 0 }],
        },
        user(),
      ]),
    },
    {
      rule: "results of calls",
      name: "unanswered",
      body: body({ tools: [tool()] }, [user(), calls(call("a")), user()]),
    },
    {
      rule: "results of calls",
      name: "half answered",
      body: body({ tools: [tool()] }, [user(), calls(call("a"), call("b")), result("a")]),
    },
    {
      rule: "results of calls",
      name: "nobody asked",
      body: body({ tools: [tool()] }, [user(), result("a")]),
    },
    {
      rule: "results of calls",
      name: "after other words",
      body: body({ tools: [tool()] }, [user(), calls(call("a")), user(), result("a")]),
    },
    {
      rule: "metadata",
      body: body({
        metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, "v"])),
      }),
    },
    { rule: "an address as end user", body: body({ safety_identifier: "ada@example.com" }) },
    {
      rule: "arguments that are JSON",
      body: body({ tools: [tool()] }, [user(), calls(call("a", "")), result("a")]),
    },
  ],
});
