import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../lib/canonical/mod.ts";
import { hostedToolCallsIn } from "../../lib/gateway/size.ts";

const parameters = { type: "object", properties: {} };
const cases: readonly { name: string; body: JsonObject; calls: number }[] = [
  { name: "no tool", body: { messages: [{ content: "Use web_search" }] }, calls: 0 },
  {
    name: "functions of the caller with such names",
    body: {
      tools: [
        { name: "web_search", input_schema: parameters },
        { type: "function", name: "WebSearch", parameters },
        { type: "function", function: { name: "google_search" } },
        { functionDeclarations: [{ name: "file_search", parameters }] },
      ],
    },
    calls: 0,
  },
  {
    name: "messages",
    body: { tools: [{ type: "web_search_20250305", name: "web_search" }] },
    calls: 8,
  },
  {
    name: "messages with a bound of its own",
    body: { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 2 }] },
    calls: 2,
  },
  {
    name: "responses",
    body: { tools: [{ type: "web_search" }, { type: "file_search" }] },
    calls: 16,
  },
  {
    name: "responses, tools in the input",
    body: { input: [{ type: "additional_tools", tools: [{ type: "web_search" }] }] },
    calls: 8,
  },
  { name: "generate-content", body: { tools: [{ googleSearch: {} }] }, calls: 8 },
  {
    name: "generate-content beside functions",
    body: { tools: [{ functionDeclarations: [], url_context: {} }] },
    calls: 8,
  },
  { name: "chat-completions", body: { web_search_options: {} }, calls: 8 },
];

for (const { name, body, calls } of cases) {
  Deno.test(`hostedToolCallsIn: ${name}: ${calls}`, () => {
    assertEquals(hostedToolCallsIn(body, JSON.stringify(body).toLowerCase()), calls);
  });
}

Deno.test("hostedToolCallsIn: a name that is spelled out in escapes is found", () => {
  const text = '{"tools":[{"type":"\\u0077eb_search"}]}';
  assertEquals(hostedToolCallsIn(JSON.parse(text), text.toLowerCase()), 8);
});
