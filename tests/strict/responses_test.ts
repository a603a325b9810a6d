import type { JsonObject, JsonValue } from "../../lib/canonical/mod.ts";
import { encryption, responsesRules } from "./responses/rules.ts";
import { strictSuite } from "./strict_suite.ts";

const user = (content: JsonValue = "hello") => ({ role: "user", content });
const call = (call_id: string, args: JsonValue = "{}") => ({
  type: "function_call",
  call_id,
  name: "get",
  arguments: args,
});
const output = (call_id: string, more: JsonObject = { output: "one" }) => ({
  type: "function_call_output",
  call_id,
  ...more,
});
const reasoning = (proof: JsonValue = encryption.sign("hm")) => ({
  type: "reasoning",
  id: "rs_1",
  summary: [],
  encrypted_content: proof,
});
const tool = (more: JsonObject = {}) => ({
  type: "function",
  name: "get",
  parameters: { type: "object", properties: {} },
  strict: false,
  ...more,
});
const body = (more: JsonObject = {}, input: JsonValue = [user()]): JsonObject => ({
  model: "gpt-5.1",
  input,
  ...more,
});
const format = (inner: JsonObject, strict = true) => ({
  text: { format: { type: "json_schema", name: "place", schema: inner, strict } },
});
const long = "c".repeat(65);
const closed = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};
const image = (image_url: string) => ({ type: "input_image", detail: "auto", image_url });

strictSuite("responses", {
  path: "/responses",
  headers: {},
  rules: responsesRules.map(({ name }) => name),
  good: {
    "a string": body({}, "hello"),
    "a tool loop with its reasoning": body({ tools: [tool()] }, [
      user(),
      reasoning(),
      call("a"),
      call("b"),
      output("b"),
      output("a"),
      user(),
    ]),
    "an image and a schema": body(format(closed), [
      user([image("data:image/png;base64,AAAA"), { type: "input_text", text: "what" }]),
    ]),
    "a replayed answer": body({}, [user(), {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "x", annotations: [] }],
    }, user()]),
  },
  violations: [
    ...([
      ["an unknown role", body({}, [{ role: "tool", content: "x" }])],
      ["arguments as an object", body({ tools: [tool()] }, [user(), call("a", {}), output("a")])],
      ["an id over 64 characters", body({ tools: [tool()] }, [user(), call(long), output(long)])],
      [
        "an output that is missing",
        body({ tools: [tool()] }, [user(), call("a"), output("a", {})]),
      ],
      [
        "an assistant whose text is input",
        body({}, [user(), { role: "assistant", content: [{ type: "input_text", text: "x" }] }]),
      ],
      [
        "an item id of another kind",
        body({}, [{ type: "message", id: "fc_1", role: "user", content: "x" }]),
      ],
      ["a limit under 16", body({ max_output_tokens: 5 })],
      [
        "an image type that it cannot read",
        body({}, [user([image("data:image/tiff;base64,AAAA")])]),
      ],
      [
        "a nested schema format",
        body({ text: { format: { type: "json_schema", json_schema: {} } } }),
      ],
      ["a nested function", body({ tools: [{ type: "function", function: { name: "get" } }] })],
      ["a temperature over 2", body({ temperature: 3 })],
    ] as const).map(([name, value]) => ({ rule: "shape", name, body: value })),
    { rule: "unknown fields", name: "stop", body: body({ stop: ["x"] }) },
    {
      rule: "unknown fields",
      name: "in a tool",
      body: body({ tools: [tool({ cache_control: {} })] }),
    },
    {
      rule: "stream options without a stream",
      body: body({ stream_options: { include_obfuscation: false } }),
    },
    { rule: "parameters that reasoning models refuse", body: body({ temperature: 0.2 }) },
    {
      rule: "reasoning of other models",
      body: body({ model: "gpt-4.1", reasoning: { effort: "low" } }),
    },
    { rule: "tool choice without tools", body: body({ tool_choice: "required" }) },
    {
      rule: "tool choice without tools",
      body: body({ tools: [tool()], tool_choice: { type: "function", name: "other" } }),
    },
    { rule: "unique tool names", body: body({ tools: [tool(), tool()] }) },
    {
      rule: "tool schemas",
      name: "strict by default",
      body: body({ tools: [{ ...tool(), strict: null }] }),
    },
    {
      rule: "tool schemas",
      name: "not an object",
      body: body({ tools: [tool({ parameters: { type: "string" } })] }),
    },
    { rule: "answer schema", body: body(format({ ...closed, required: [] })) },
    { rule: "answer schema", body: body(format({ ...closed, allOf: [{}] })) },
    {
      rule: "the word JSON in JSON mode",
      body: body({ text: { format: { type: "json_object" } } }),
    },
    {
      rule: "results of calls",
      name: "unanswered",
      body: body({ tools: [tool()] }, [user(), call("a"), user()]),
    },
    {
      rule: "results of calls",
      name: "nobody asked",
      body: body({ tools: [tool()] }, [user(), output("a")]),
    },
    {
      rule: "results of calls",
      name: "before the call",
      body: body({ tools: [tool()] }, [user(), output("a"), call("a")]),
    },
    { rule: "reasoning and what follows it", name: "last", body: body({}, [user(), reasoning()]) },
    {
      rule: "reasoning and what follows it",
      name: "before the user",
      body: body({}, [user(), reasoning(), user()]),
    },
    {
      rule: "encrypted content",
      name: "foreign",
      body: body({ tools: [tool()] }, [user(), reasoning("Zm9yZWlnbg=="), call("a"), output("a")]),
    },
    {
      rule: "encrypted content",
      name: "altered",
      body: body({ tools: [tool()] }, [
        user(),
        reasoning(`A${encryption.sign("hm")}`),
        call("a"),
        output("a"),
      ]),
    },
    {
      rule: "reasoning that nobody stored",
      body: body({ tools: [tool()] }, [user(), reasoning(null), call("a"), output("a")]),
    },
    {
      rule: "media sources",
      name: "no image",
      body: body({}, [user([{ type: "input_image", detail: "auto" }])]),
    },
    {
      rule: "media sources",
      name: "no file name",
      body: body({}, [
        user([{ type: "input_file", file_data: "data:application/pdf;base64,AAAA" }]),
      ]),
    },
    {
      rule: "metadata",
      body: body({
        metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, "v"])),
      }),
    },
    { rule: "an address as end user", body: body({ safety_identifier: "ada@example.com" }) },
  ],
});
