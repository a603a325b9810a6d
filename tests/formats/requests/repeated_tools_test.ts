import { assertEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import { objectOf, objectsOf } from "../../../lib/formats/wire_value.ts";
import { converted, longBodies, told } from "./long_request.ts";

/** A deferred tool that an input item loads is one tool for models of other formats, not two. */

const parameters = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
const deferred = { type: "function", name: "read_issue", parameters, defer_loading: true };
const loaded = { type: "function", name: "read_issue", description: "Reads an issue", parameters };
const body: JsonObject = {
  ...longBodies.responses,
  tools: [deferred, ...longBodies.responses.tools, { type: "tool_search" }],
};
const item = { type: "additional_tools", role: "developer", tools: [loaded] };
const bodies: Readonly<Record<string, JsonObject>> = {
  "leads the input": { ...body, input: [item, ...longBodies.responses.input] },
  "stands in the input, twice": { ...body, input: [...longBodies.responses.input, item, item] },
};
const targets = [
  { to: "chat-completions", model: "gpt-5.1" },
  { to: "messages", model: "claude-opus-5" },
  { to: "generate-content", model: "gemini-3-pro" },
] as const satisfies readonly { to: FormatName; model: string }[];

for (const [place, body] of Object.entries(bodies)) {
  for (const { to, model } of targets) {
    Deno.test(`a deferred tool whose additional_tools ${place} is one tool of ${to}`, () => {
      const sent = converted(body, { from: "responses", to, model });
      assertEquals(toolsOf(sent.body), [["read_issue", "Reads an issue"], [
        "shell",
        "Runs a command",
      ]]);
    });
  }
  Deno.test(`a deferred tool whose additional_tools ${place} stays as it is in responses`, () => {
    const sent = converted(body, { from: "responses", to: "responses", model: "gpt-5.1" });
    assertEquals(sent.body.tools, body.tools);
    assertEquals(told(sent.notes), []);
    const items = objectsOf(sent.body.input).filter(({ type }) => type === "additional_tools");
    assertEquals(items, place === "leads the input" ? [item] : [item, item]);
  });
}

function toolsOf(body: JsonObject): unknown[] {
  return objectsOf(body.tools).flatMap((tool) =>
    tool.functionDeclarations ? objectsOf(tool.functionDeclarations) : [tool]
  ).map((tool) => objectOf(tool.function ?? tool)).map(({ name, description }) => [
    name,
    description,
  ]);
}
