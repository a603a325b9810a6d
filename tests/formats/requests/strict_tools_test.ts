import { assertEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import { objectOf, objectsOf } from "../../../lib/formats/wire_value.ts";
import { converted, longBodies, told } from "./long_request.ts";

/** Strict tools and mode VALIDATED of generate-content are equivalent: calls must match their schemas. */

const gemini = { to: "generate-content", model: "gemini-3-pro" } as const;
const others = [
  { to: "chat-completions", model: "gpt-5.1" },
  { to: "responses", model: "gpt-5.1" },
  { to: "messages", model: "claude-opus-5" },
] as const satisfies readonly { to: FormatName; model: string }[];

const closed = {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
  additionalProperties: false,
};
const open = { type: "object", properties: { depth: { type: "integer" } } };

function validated(calling: JsonObject, schemas: readonly (JsonObject | undefined)[]): JsonObject {
  return {
    ...longBodies["generate-content"],
    tools: [{
      functionDeclarations: schemas.map((schema, at) => ({
        name: `tool_${at}`,
        description: "d",
        ...(schema && { parametersJsonSchema: schema }),
      })),
    }],
    toolConfig: { functionCallingConfig: calling },
  };
}

const many = Array.from({ length: 40 }, () => closed);
for (const { to, model } of others) {
  const names: readonly JsonObject[] = [
    { mode: "VALIDATED" },
    { mode: "VALIDATED", allowedFunctionNames: ["tool_0", "tool_1"] },
  ];
  for (const calling of names) {
    Deno.test(`${JSON.stringify(calling)} makes the tools of ${to} strict`, () => {
      const body = validated(calling, [closed, closed]);
      const sent = converted(body, { from: "generate-content", to, model });
      assertEquals([strictOf(sent.body), sent.notes], [[true, true], []]);
    });
  }

  Deno.test(`VALIDATED is noted where a schema cannot be strict in ${to}`, () => {
    const body = validated({ mode: "VALIDATED" }, [closed, open, undefined]);
    const sent = converted(body, { from: "generate-content", to, model });
    assertEquals(strictOf(sent.body).map((strict) => strict === true), [true, false, true]);
    assertEquals(told(sent.notes), ["tools[1].strict dropped"]);
  });

  Deno.test(`${to} takes VALIDATED of forty tools`, () => {
    const sent = converted(validated({ mode: "VALIDATED" }, many), {
      from: "generate-content",
      to,
      model,
    });
    const count = to === "messages" ? 20 : 40;
    assertEquals(strictOf(sent.body).filter((strict) => strict === true).length, count);
    assertEquals(sent.notes.length, 40 - count);
  });

  Deno.test(`AUTO of generate-content makes no tool of ${to} strict`, () => {
    const body = validated({ mode: "AUTO" }, [closed, open]);
    const sent = converted(body, { from: "generate-content", to, model });
    assertEquals(strictOf(sent.body).some((strict) => strict === true), false);
    assertEquals(sent.notes, []);
  });
}

const sources = {
  "chat-completions": (strict: readonly boolean[]) => ({
    ...longBodies["chat-completions"],
    tools: strict.map((strict, at) => ({
      type: "function",
      function: { name: `tool_${at}`, parameters: closed, strict },
    })),
  }),
  responses: (strict: readonly boolean[]) => ({
    ...longBodies.responses,
    tools: strict.map((strict, at) => ({
      type: "function",
      name: `tool_${at}`,
      parameters: closed,
      strict,
    })),
  }),
  messages: (strict: readonly boolean[]) => ({
    ...longBodies.messages,
    tools: strict.map((strict, at) => ({ name: `tool_${at}`, input_schema: closed, strict })),
  }),
} as const;
const forced: Readonly<Record<string, JsonObject>> = {
  "chat-completions": { tool_choice: "required" },
  responses: { tool_choice: "required" },
  messages: { tool_choice: { type: "any" } },
};

for (const from of ["chat-completions", "responses", "messages"] as const) {
  Deno.test(`strict tools of ${from} are VALIDATED in generate-content, and strict again behind it`, () => {
    const sent = converted(sources[from]([true, true]), { from, ...gemini });
    assertEquals([modeOf(sent.body), sent.notes], ["VALIDATED", []]);
    const back = converted(sent.body, { from: gemini.to, to: from, model: "claude-opus-5" });
    assertEquals([strictOf(back.body), back.notes], [[true, true], []]);
  });

  Deno.test(`some strict tools of ${from} are noted in generate-content`, () => {
    const sent = converted(sources[from]([false, true]), { from, ...gemini });
    assertEquals([modeOf(sent.body), told(sent.notes)], [undefined, ["tools[1].strict dropped"]]);
  });

  Deno.test(`forced strict tools of ${from} keep to their schemas in generate-content`, () => {
    const body = { ...sources[from]([false, true]), ...forced[from] };
    const sent = converted(body, { from, ...gemini });
    assertEquals([modeOf(sent.body), sent.notes], ["ANY", []]);
  });
}

Deno.test("VALIDATED stays as it is in its own format", () => {
  const body = validated({ mode: "VALIDATED" }, [closed, open]);
  const sent = converted(body, { from: gemini.to, to: gemini.to, model: "gemini-2.5-pro" });
  assertEquals([sent.body, sent.notes], [body, []]);
});

function strictOf(body: JsonObject): unknown[] {
  return objectsOf(body.tools).map((tool) => objectOf(tool.function ?? tool).strict);
}

function modeOf(body: JsonObject): unknown {
  return objectOf(objectOf(body.toolConfig).functionCallingConfig).mode;
}
