import { assertEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import { converted, longBodies, told } from "./long_request.ts";

/** A request to show thoughts enables thinking in every format. */

const from = "generate-content";

const shown = { type: "adaptive", display: "summarized" };
const rows: readonly {
  readonly thinkingConfig: JsonObject;
  readonly to: FormatName;
  readonly model: string;
  readonly expected: JsonObject;
  readonly notes?: readonly string[];
}[] = [
  {
    thinkingConfig: { includeThoughts: true },
    to: "chat-completions",
    model: "gpt-5.1",
    expected: { reasoning_effort: "medium" },
  },
  {
    thinkingConfig: { includeThoughts: true },
    to: "chat-completions",
    model: "gpt-4o",
    expected: {},
    notes: ["reasoning dropped"],
  },
  {
    thinkingConfig: { includeThoughts: true },
    to: "responses",
    model: "gpt-5.1",
    expected: { reasoning: { effort: "medium", summary: "auto" } },
  },
  {
    thinkingConfig: { includeThoughts: true },
    to: "responses",
    model: "gpt-4o",
    expected: {},
    notes: ["reasoning dropped"],
  },
  {
    thinkingConfig: { includeThoughts: true },
    to: "messages",
    model: "claude-opus-5",
    expected: { thinking: shown },
  },
  {
    thinkingConfig: { includeThoughts: true },
    to: "messages",
    model: "claude-3-5-haiku",
    expected: {},
    notes: ["reasoning dropped"],
  },
  {
    thinkingConfig: { includeThoughts: true, thinkingBudget: -1 },
    to: "responses",
    model: "gpt-5.1",
    expected: { reasoning: { effort: "medium", summary: "auto" } },
  },
  {
    thinkingConfig: { thinkingBudget: -1 },
    to: "chat-completions",
    model: "gpt-5.1",
    expected: { reasoning_effort: "medium" },
  },
  {
    thinkingConfig: { includeThoughts: true, thinkingLevel: "low" },
    to: "responses",
    model: "gpt-5.1",
    expected: { reasoning: { effort: "low", summary: "auto" } },
  },
  {
    thinkingConfig: { includeThoughts: true, thinkingLevel: "HIGH" },
    to: "messages",
    model: "claude-opus-5",
    expected: { thinking: shown, output_config: { effort: "high" } },
  },
  {
    thinkingConfig: { includeThoughts: false },
    to: "responses",
    model: "gpt-5.1",
    expected: {},
  },
  {
    thinkingConfig: { includeThoughts: true, thinkingBudget: 0 },
    to: "responses",
    model: "gpt-5.1",
    expected: { reasoning: { effort: "none", summary: "auto" } },
  },
];

const members = ["reasoning_effort", "reasoning", "thinking", "output_config"];

for (const { thinkingConfig, to, model, expected, notes = [] } of rows) {
  Deno.test(`thinkingConfig ${JSON.stringify(thinkingConfig)} asks ${model} of ${to} to think`, () => {
    const body = { ...longBodies[from], generationConfig: { thinkingConfig } };
    const sent = converted(body, { from, to, model });
    const said = members.flatMap((name) => name in sent.body ? [[name, sent.body[name]]] : []);
    assertEquals([Object.fromEntries(said), told(sent.notes)], [expected, notes]);
  });
}

Deno.test("thinkingConfig comes back to its own format as it went in", () => {
  for (const thinkingConfig of rows.map((row) => row.thinkingConfig)) {
    const body = { ...longBodies[from], generationConfig: { thinkingConfig } };
    const { body: sent, notes } = converted(body, { from, to: from, model: "gemini-3-pro" });
    const level = thinkingConfig.thinkingLevel?.toString().toUpperCase();
    assertEquals(sent.generationConfig, {
      thinkingConfig: { ...thinkingConfig, ...(level && { thinkingLevel: level }) },
    });
    assertEquals(notes, []);
  }
});

Deno.test("adaptive thinking of messages without an effort asks models of other formats for one", () => {
  const body = { ...longBodies.messages, thinking: { type: "adaptive" } };
  const chat = converted(body, { from: "messages", to: "chat-completions", model: "gpt-5.1" });
  assertEquals([chat.body.reasoning_effort, chat.notes], ["medium", []]);
  const responses = converted(body, { from: "messages", to: "responses", model: "gpt-5.1" });
  assertEquals(responses.body.reasoning, { effort: "medium", summary: "auto" });
});
