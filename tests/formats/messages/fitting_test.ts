import { assert, assertEquals } from "@std/assert";
import type {
  Effort,
  JsonObject,
  Reasoning,
  Tool,
  ToolChoice,
} from "../../../lib/canonical/mod.ts";
import { call, contentAt, encode, listOf, result, text } from "./foreign.ts";
import { objectOf } from "./wire.ts";

/** Reasoning settings for each family of models, combined with a tool choice. */
const thoughts: {
  model: string;
  reasoning: Reasoning;
  maxOutputTokens?: number;
  thinking?: JsonObject;
  effort?: string;
  notes?: string[];
}[] = [
  ...([
    ["none", { type: "disabled" }, undefined],
    ["minimal", { type: "adaptive", display: "summarized" }, "low"],
    ["low", { type: "adaptive", display: "summarized" }, "low"],
    ["medium", { type: "adaptive", display: "summarized" }, "medium"],
    ["high", { type: "adaptive", display: "summarized" }, "high"],
    ["xhigh", { type: "adaptive", display: "summarized" }, "xhigh"],
    ["max", { type: "adaptive", display: "summarized" }, "max"],
  ] as const).map(([effort, thinking, sent]) => ({
    model: "claude-opus-4-8",
    reasoning: { effort: effort satisfies Effort },
    thinking,
    effort: sent,
    notes: effort === "minimal" ? ["reasoning.effort clamped"] : [],
  })),
  {
    model: "claude-opus-4-6",
    reasoning: { effort: "xhigh", summary: "none" },
    thinking: { type: "adaptive", display: "omitted" },
    effort: "max",
  },
  {
    model: "claude-fable-5",
    reasoning: { effort: "none" },
    thinking: { type: "adaptive" },
    effort: "low",
    notes: ["reasoning clamped"],
  },
  {
    model: "claude-opus-5",
    reasoning: { budgetTokens: 9000 },
    thinking: { type: "adaptive", display: "summarized" },
    effort: "high",
    notes: ["reasoning.budgetTokens emulated"],
  },
  {
    model: "claude-opus-5",
    reasoning: { budgetTokens: -1 },
    thinking: { type: "adaptive", display: "summarized" },
  },
  { model: "claude-opus-5", reasoning: { budgetTokens: 0 }, thinking: { type: "disabled" } },
  { model: "claude-opus-5", reasoning: { summary: "auto" } },
  {
    model: "claude-sonnet-4-5",
    reasoning: { effort: "low" },
    maxOutputTokens: 20_000,
    thinking: { type: "enabled", budget_tokens: 6400 },
  },
  {
    model: "claude-sonnet-4-5",
    reasoning: { effort: "max" },
    maxOutputTokens: 10_000,
    thinking: { type: "enabled", budget_tokens: 8000 },
  },
  {
    model: "claude-sonnet-4-5",
    reasoning: { budgetTokens: 9999 },
    maxOutputTokens: 5000,
    thinking: { type: "enabled", budget_tokens: 4999 },
    notes: ["reasoning.budgetTokens clamped"],
  },
  {
    model: "claude-sonnet-4-5",
    reasoning: { effort: "high" },
    maxOutputTokens: 1000,
    notes: ["reasoning dropped"],
  },
  { model: "claude-sonnet-4-5", reasoning: { effort: "none" } },
  { model: "claude-3-haiku", reasoning: { effort: "low" }, notes: ["reasoning dropped"] },
];

for (const { model, reasoning, maxOutputTokens = 4000, thinking, effort, notes } of thoughts) {
  Deno.test(`messages request from another format: ${model} and ${JSON.stringify(reasoning)}`, () => {
    const encoded = encode({ model, reasoning, limits: { maxOutputTokens } });
    assertEquals(encoded.body.thinking, thinking);
    assertEquals(objectOf(encoded.body.output_config).effort, effort);
    assertEquals(encoded.notes, notes ?? []);
  });
}

const f: Tool = { type: "function", name: "f" };
const g: Tool = { type: "function", name: "g" };

const choices: {
  name: string;
  toolChoice?: ToolChoice;
  parallel?: boolean;
  model?: string;
  tools?: Tool[];
  sent?: JsonObject;
  toolNames?: string[];
  notes?: string[];
}[] = [
  { name: "none said", toolNames: ["f", "g"] },
  {
    name: "no calls at once",
    parallel: false,
    sent: { type: "auto", disable_parallel_tool_use: true },
  },
  { name: "calls at once, which is the rule", parallel: true },
  { name: "any", toolChoice: { type: "any" }, sent: { type: "any" } },
  { name: "none", toolChoice: { type: "none" }, parallel: false, sent: { type: "none" } },
  {
    name: "one tool",
    toolChoice: { type: "tool", name: "g", kind: "function" },
    parallel: false,
    sent: { type: "tool", name: "g", disable_parallel_tool_use: true },
  },
  {
    name: "some tools",
    toolChoice: { type: "allowed", mode: "any", names: ["g"] },
    sent: { type: "any" },
    toolNames: ["g"],
    notes: ["tools[0] emulated"],
  },
  {
    name: "force that the model refuses",
    model: "claude-opus-5-5",
    toolChoice: { type: "any" },
    sent: { type: "auto" },
    notes: ["toolChoice emulated"],
  },
  {
    name: "no tools",
    tools: [],
    toolChoice: { type: "any" },
    toolNames: [],
    notes: ["toolChoice dropped"],
  },
  { name: "no tools, and no force", tools: [], toolChoice: { type: "auto" }, parallel: false },
];

for (
  const { name, toolChoice, parallel, model, tools = [f, g], sent, toolNames, notes } of choices
) {
  Deno.test(`messages request from another format: tool choice, ${name}`, () => {
    const encoded = encode({
      tools,
      ...(model && { model }),
      ...(toolChoice && { toolChoice }),
      ...(parallel !== undefined && { parallelToolCalls: parallel }),
    });
    assertEquals(encoded.body.tool_choice, sent);
    if (toolNames) assertEquals(listOf(encoded.body.tools).map(({ name }) => name), toolNames);
    assertEquals(encoded.notes, notes ?? []);
  });
}

Deno.test("messages request from another format: a forced call keeps a model with a budget from thinking", () => {
  const forced: readonly ToolChoice[] = [
    { type: "any" },
    { type: "tool", name: "f", kind: "function" },
    { type: "allowed", mode: "any", names: ["f"] },
  ];
  for (const toolChoice of forced) {
    const { body, notes } = encode({
      model: "claude-sonnet-4-5",
      tools: [f],
      toolChoice,
      reasoning: { effort: "low" },
    });
    assertEquals(objectOf(body.tool_choice).type, toolChoice.type === "tool" ? "tool" : "any");
    assertEquals(body.thinking, undefined);
    assertEquals(notes, ["reasoning dropped"]);
  }
});

Deno.test("messages request from another format: no knobs while the model thinks within a budget", () => {
  const { body, notes } = encode({
    model: "claude-sonnet-4-5",
    tools: [f],
    toolChoice: { type: "auto" },
    reasoning: { effort: "low" },
    sampling: { temperature: 0.2, topK: 4 },
  });
  assertEquals([objectOf(body.thinking).type, body.temperature, body.top_k], [
    "enabled",
    undefined,
    undefined,
  ]);
  assertEquals(notes, ["sampling dropped"]);
});

Deno.test("messages request from another format: thinking is off in a loop whose thinking is lost", () => {
  const { body, notes } = encode({
    model: "claude-sonnet-4-5",
    tools: [f],
    reasoning: { effort: "low" },
    turns: [
      { role: "user", parts: [text("a")] },
      { role: "assistant", parts: [call] },
      { role: "user", parts: [result] },
    ],
  });
  assertEquals([body.thinking, notes], [undefined, ["reasoning repaired"]]);
});

Deno.test("messages request from another format: sampling as each model takes it", () => {
  const sampling = { temperature: 1.7, topP: 0.5, topK: 3 };
  const older = encode({ model: "claude-sonnet-4-5", sampling });
  assertEquals([older.body.temperature, older.body.top_p, older.body.top_k], [1, undefined, 3]);
  assertEquals(older.notes, ["sampling.temperature clamped", "sampling.topP dropped"]);
  const newer = encode({ model: "claude-opus-5", sampling });
  assertEquals([newer.body.temperature, newer.notes], [undefined, ["sampling dropped"]]);
});

/** Maximum output tokens, for callers that set none and for ones that set too many. */
const limits: [string, number | undefined, Reasoning | undefined, number][] = [
  ["claude-opus-5", undefined, undefined, 32_000],
  ["claude-3-haiku-20240307", undefined, undefined, 4096],
  ["claude-3-haiku-20240307", 9000, undefined, 4096],
  ["claude-sonnet-4-5", undefined, { effort: "high" }, 64_000],
  ["some-other-model", undefined, undefined, 8192],
  ["some-other-model", 100_000, undefined, 100_000],
];

for (const [model, maxOutputTokens, reasoning, sent] of limits) {
  Deno.test(`messages request from another format: ${model} writes ${maxOutputTokens} as ${sent}`, () => {
    const { body } = encode({
      model,
      limits: maxOutputTokens === undefined ? {} : { maxOutputTokens },
      ...(reasoning && { reasoning }),
    });
    assertEquals(body.max_tokens, sent);
  });
}

Deno.test("messages request from another format: JSON by an instruction where the format has no better", () => {
  const json = encode({ output: { type: "json" }, instructions: [text("a")] });
  assertEquals(listOf(json.body.system).length, 2);
  assertEquals(json.notes, ["output emulated"]);
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const older = encode({ model: "claude-3-haiku", output: { type: "schema", schema } });
  assert(String(older.body.system).includes(JSON.stringify(schema)));
  assertEquals(older.notes, ["output emulated"]);
  assertEquals(encode({ output: { type: "text" } }).notes, []);
});

Deno.test("messages request from another format: four cache marks, the last ones", () => {
  const marked = (name: string) => ({ ...text(name), cache: {} });
  const { body, notes } = encode({
    tools: [{ ...f, cache: {} }],
    instructions: [marked("s1"), marked("s2")],
    turns: [
      { role: "user", parts: [marked("a"), marked("b")] },
      { role: "assistant", parts: [marked("c")] },
      { role: "user", parts: [marked("d")] },
    ],
  });
  const kept = JSON.stringify(body).match(/"text":"[a-z0-9]+","cache_control"/g);
  assertEquals(kept?.map((found) => found.split('"')[3]), ["s2", "b", "c", "d"]);
  assertEquals(listOf(body.tools)[0]?.cache_control, undefined);
  assertEquals(notes, ["cache dropped"]);
  const few = encode({ cache: {}, tools: [{ ...f, cache: {} }], instructions: [marked("s")] });
  assertEquals([few.notes, few.body.cache_control], [[], { type: "ephemeral" }]);
});

Deno.test("messages request from another format: tools that only the history knows are declared", () => {
  const { body, notes } = encode({
    turns: [
      { role: "user", parts: [text("a")] },
      { role: "assistant", parts: [call, { ...call, id: "call_2" }] },
      { role: "user", parts: [result, { ...result, callId: "call_2" }] },
    ],
  });
  assertEquals(body.tools, [{ name: "f", input_schema: { type: "object", properties: {} } }]);
  assertEquals(notes, ["tools repaired"]);
});

/** Arguments that a model of another vendor may have written. */
const callArguments: [string, JsonObject, boolean][] = [
  ["", {}, false],
  ["{}", {}, false],
  ['{"a":"ü"}', { a: "ü" }, false],
  ["[1]", { input: "[1]" }, true],
  ['{"a":', { input: '{"a":' }, true],
];

for (const [json, input, repaired] of callArguments) {
  Deno.test(`messages request from another format: arguments ${json}`, () => {
    const { body, notes } = encode({
      tools: [f],
      turns: [
        { role: "user", parts: [text("a")] },
        { role: "assistant", parts: [{ ...call, arguments: json }] },
        { role: "user", parts: [result] },
      ],
    });
    assertEquals(contentAt(body, 1)[0]?.input, input);
    assertEquals(notes, repaired ? ["turns[1].parts[0].arguments repaired"] : []);
  });
}

Deno.test("messages request from another format: service tiers by their other names", () => {
  const sent = ["priority", "default", "STANDARD", "flex"].map((serviceTier) =>
    encode({ serviceTier }).body.service_tier
  );
  assertEquals(sent, ["auto", "standard_only", "standard_only", undefined]);
});

Deno.test("messages request from another format: the description states a strict tool's limits, an open schema is not strict", () => {
  const parameters = {
    type: "object",
    properties: { n: { type: "integer", minimum: 1 } },
    required: ["n"],
    additionalProperties: false,
  };
  const open = { ...parameters, additionalProperties: true };
  const { body, notes } = encode({
    tools: [
      { type: "function", name: "f", strict: true, parameters },
      { type: "function", name: "g", strict: true, parameters: open },
    ],
  });
  const [closed, loose] = listOf(body.tools);
  const { n } = objectOf(objectOf(closed.input_schema).properties);
  assertEquals([closed.strict, objectOf(n).minimum], [true, undefined]);
  assert(String(objectOf(n).description).includes("minimum"));
  assertEquals([loose.strict, loose.input_schema], [undefined, open]);
  assert(notes.includes("tools[1].strict dropped"));
});

Deno.test("messages request from another format: names that the format refuses, alike in all places", () => {
  const name = "get.weather:now";
  const { body, notes } = encode({
    tools: [{ type: "function", name }],
    toolChoice: { type: "tool", name, kind: "function" },
    turns: [
      { role: "user", parts: [text("a")] },
      { role: "assistant", parts: [{ ...call, name }] },
      { role: "user", parts: [result] },
    ],
  });
  const [tool] = listOf(body.tools);
  assert(/^get_weather_now_[0-9a-f]{8}$/.test(String(tool?.name)));
  assertEquals([objectOf(body.tool_choice).name, contentAt(body, 1)[0]?.name], [
    tool?.name,
    tool?.name,
  ]);
  assertEquals(notes, ["tools[0].name emulated"]);
});
