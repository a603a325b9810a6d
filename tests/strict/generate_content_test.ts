import type { JsonObject, JsonValue } from "../../lib/canonical/mod.ts";
import {
  generateRules,
  signedContent,
  skipped,
  thoughtSignature,
} from "./generate_content/rules.ts";
import { strictSuite } from "./strict_suite.ts";

const user = (...parts: JsonObject[]) => ({
  role: "user",
  parts: parts.length > 0 ? parts : [{ text: "hello" }],
});
const model = (...parts: JsonObject[]) => ({ role: "model", parts });
const call = (id: string, more: JsonObject = {}) => ({
  functionCall: { id, name: "get", args: {} },
  ...more,
});
const response = (id: string, more: JsonObject = {}) => ({
  functionResponse: { id, name: "get", response: { output: "one" }, ...more },
});
const body = (more: JsonObject = {}, contents: JsonValue = [user()]): JsonObject => ({
  contents,
  ...more,
});
const declare = (more: JsonObject = {}) => ({
  tools: [{ functionDeclarations: [{ name: "get", ...more }] }],
});
const proof = thoughtSignature.sign(signedContent({ functionCall: { name: "get", args: {} } }));
const signed = { thoughtSignature: proof };
const loop = [
  user(),
  model(call("a", signed), call("b")),
  user(response("a"), response("b"), { text: "go on" }),
];
const config = (generationConfig: JsonObject) => body({ generationConfig });
const second = "/models/gemini-2.5-flash:generateContent";

strictSuite("generate-content", {
  path: "/models/gemini-3-pro-preview:generateContent",
  headers: {},
  rules: generateRules.map(({ name }) => name),
  good: {
    "a plain question": body(),
    "names in snake case": body({
      tools: [{ function_declarations: [{ name: "get", parameters_json_schema: {} }] }],
      generationConfig: { thinkingConfig: { thinking_level: "HIGH" } },
    }),
    "a signed tool loop": body(declare(), loop),
    "the word for lost signatures": body(declare(), [
      user(),
      model(call("a", { thoughtSignature: skipped })),
      user(response("a")),
    ]),
    "an unsigned call of an older turn": body(declare(), [
      user(),
      model(call("a")),
      user(response("a")),
      model({ text: "done" }),
      user(),
    ]),
    "an image and a schema": body({
      generationConfig: {
        responseMimeType: "application/json",
        responseJsonSchema: { type: "object" },
      },
    }, [user({ inlineData: { mimeType: "image/png", data: "AAAA" } }, { text: "what" })]),
  },
  violations: [
    ...([
      ["an unknown role", body({}, [{ role: "assistant", parts: [{ text: "x" }] }])],
      ["no parts", body({}, [{ role: "user", parts: [] }])],
      [
        "arguments as text",
        body(declare(), [
          user(),
          model({ functionCall: { name: "get", args: "{}" } }),
          user(response("a")),
        ]),
      ],
      [
        "a response as text",
        body(declare(), [
          user(),
          model(call("a", signed)),
          user({ functionResponse: { name: "get", response: "one" } }),
        ]),
      ],
      ["six stop sequences", config({ stopSequences: ["a", "b", "c", "d", "e", "f"] })],
      ["a temperature over 2", config({ temperature: 2.1 })],
      ["no media type", body({}, [user({ inlineData: { mimeType: "png", data: "AAAA" } })])],
      ["a function's name with a space", body(declare({ name: "get it" }))],
    ] as const).map(([name, value]) => ({ rule: "shape", name, body: value })),
    { rule: "unknown fields", name: "the model", body: body({ model: "x" }) },
    {
      rule: "unknown fields",
      name: "in a part",
      body: body({}, [user({ text: "x", cache_control: {} })]),
    },
    { rule: "unknown fields", name: "in a declaration", body: body(declare({ strict: true })) },
    {
      rule: "one datum in a part",
      body: body({}, [user({ text: "x", inlineData: { mimeType: "image/png", data: "AAAA" } })]),
    },
    { rule: "one datum in a part", body: body({}, [user({ thought: true })]) },
    { rule: "empty texts", body: body({}, [user({ text: "" })]) },
    {
      rule: "alternating turns",
      name: "the model twice",
      body: body({}, [user(), model({ text: "x" }), model({ text: "y" }), user()]),
    },
    {
      rule: "alternating turns",
      name: "the model first",
      body: body({}, [model({ text: "x" }), user()]),
    },
    {
      rule: "alternating turns",
      name: "the model last",
      body: body({}, [user(), model({ text: "x" })]),
    },
    { rule: "parts of a role", body: body(declare(), [user(call("a"))]) },
    {
      rule: "number of function responses",
      name: "too few",
      body: body(declare(), [user(), model(call("a", signed), call("b")), user(response("a"))]),
    },
    {
      rule: "number of function responses",
      name: "none",
      body: body(declare(), [user(), model(call("a", signed)), user()]),
    },
    {
      rule: "function responses after their calls",
      name: "nobody asked",
      body: body(declare(), [user(response("a"))]),
    },
    {
      rule: "function responses after their calls",
      name: "another name",
      body: body(declare(), [
        user(),
        model(call("a", signed)),
        user(response("a", { name: "other" })),
      ]),
    },
    {
      rule: "thought signatures of calls",
      body: body(declare(), [user(), model(call("a")), user(response("a"))]),
    },
    {
      rule: "genuine thought signatures",
      name: "foreign",
      body: body(declare(), [
        user(),
        model(call("a", { thoughtSignature: "Zm9yZWlnbg==" })),
        user(response("a")),
      ]),
    },
    {
      rule: "genuine thought signatures",
      name: "of another call",
      body: body(declare(), [
        user(),
        model({ functionCall: { id: "a", name: "get", args: { x: 1 } }, ...signed }),
        user(response("a")),
      ]),
    },
    {
      rule: "budget or level",
      name: "both",
      body: config({ thinkingConfig: { thinkingBudget: 1, thinkingLevel: "LOW" } }),
    },
    {
      rule: "budget or level",
      name: "out of range",
      body: config({ thinkingConfig: { thinkingBudget: 99_999 } }),
      path: second,
    },
    {
      rule: "budget or level",
      name: "a level for an older model",
      body: config({ thinkingConfig: { thinkingLevel: "LOW" } }),
      path: second,
    },
    {
      rule: "function names",
      name: "twice",
      body: body({ tools: [...declare().tools, ...declare().tools] }),
    },
    {
      rule: "function names",
      name: "unknown",
      body: body({
        ...declare(),
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["other"] } },
      }),
    },
    {
      rule: "function calling config",
      name: "without functions",
      body: body({ toolConfig: { functionCallingConfig: { mode: "ANY" } } }),
    },
    {
      rule: "function calling config",
      name: "names with AUTO",
      body: body({
        ...declare(),
        toolConfig: { functionCallingConfig: { mode: "AUTO", allowedFunctionNames: ["get"] } },
      }),
    },
    {
      rule: "function schemas",
      name: "an unknown keyword",
      body: body(
        declare({
          parameters: {
            type: "OBJECT",
            properties: { a: { type: "STRING" } },
            additionalProperties: false,
          },
        }),
      ),
    },
    {
      rule: "function schemas",
      name: "no properties",
      body: body(declare({ parameters: { type: "OBJECT", properties: {} } })),
    },
    {
      rule: "function schemas",
      name: "a keyword of drafts",
      body: body(declare({ parametersJsonSchema: { type: "object", $comment: "x" } })),
    },
    {
      rule: "function schemas",
      name: "a number in an enum",
      body: body(
        declare({
          parameters: { type: "OBJECT", properties: { a: { type: "STRING", enum: [1] } } },
        }),
      ),
    },
    {
      rule: "answer schema",
      name: "without its media type",
      body: config({ responseJsonSchema: { type: "object" } }),
    },
    {
      rule: "answer schema",
      name: "both",
      body: config({
        responseMimeType: "application/json",
        responseSchema: { type: "OBJECT" },
        responseJsonSchema: {},
      }),
    },
    {
      rule: "JSON answers beside functions",
      body: body({ ...declare(), generationConfig: { responseMimeType: "application/json" } }),
      path: second,
    },
    {
      rule: "media in function responses",
      body: body(declare(), [
        user(),
        model(call("a")),
        user(response("a", { parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }] })),
      ]),
      path: second,
    },
  ],
});
