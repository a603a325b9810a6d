import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Fields,
  fieldsOf,
  offeredEfforts,
  playgroundFormats,
  type PlaygroundSettings,
  readFields,
  readPlaygroundSettings,
  readTools,
  settingsQuery,
} from "../../lib/playground/mod.ts";

const choice = fc.record({
  model: fc.string({ minLength: 1, maxLength: 256 }).map((text) => text.toWellFormed()),
  groupId: fc.string().map((text) => text.toWellFormed()),
  format: fc.constantFrom(...playgroundFormats),
});
const stop = fc.string({ minLength: 1 }).map((text) => text.toWellFormed())
  .filter((text) => !/[\r\n]/.test(text));
const settings: fc.Arbitrary<PlaygroundSettings> = fc.record({
  choices: fc.array(choice, { minLength: 1, maxLength: 4 }),
  parameters: fc.record({
    temperature: fc.double({ min: 0, max: 2, noNaN: true }).map(Math.abs),
    topP: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
    maxTokens: fc.integer({ min: 1, max: 10_000_000 }),
    effort: fc.constantFrom(...offeredEfforts),
    stop: fc.array(stop, { maxLength: 4 }),
    stream: fc.boolean(),
  }, { requiredKeys: ["stop", "stream"] }),
});

Deno.test("a link to settings is read as it was written", () => {
  fc.assert(
    fc.property(settings, (settings) => {
      assertEquals(readPlaygroundSettings(new URLSearchParams(settingsQuery(settings))), settings);
    }),
  );
});

Deno.test("a link holds nothing of what was said", () => {
  const fields: Fields = {
    ...fieldsOf(readPlaygroundSettings(new URLSearchParams())),
    system: "secret",
  };
  const { values } = readFields(fields);
  assertEquals(values?.system, "secret");
  const parameters = { ...values?.parameters, schema: undefined, stop: [], stream: true };
  assertEquals(settingsQuery({ choices: [], parameters }), "");
});

Deno.test("invalid settings in a link are ignored", () => {
  const link = new URLSearchParams(
    "model=m&format=x&temperature=hot&top_p=1.5&max_tokens=0&effort=enormous&stop=a&stop=&stop=b\nc",
  );
  assertEquals(readPlaygroundSettings(link), {
    choices: [{ model: "m", groupId: "", format: "chat-completions" }],
    parameters: { stop: ["a", "b", "c"], stream: true },
  });
});

const toolCases = [
  { text: " ", expected: { ok: true, value: [] } },
  { text: "[{", expected: { ok: false, fault: "json" } },
  { text: "{}", expected: { ok: false, fault: "list" } },
  { text: "[1]", expected: { ok: false, fault: "list" } },
  { text: '[{"description":"nameless"}]', expected: { ok: false, fault: "name" } },
  { text: '[{"name":"a b"}]', expected: { ok: false, fault: "name" } },
  { text: '[{"name":"a"},{"name":"a"}]', expected: { ok: false, fault: "twice" } },
  { text: '[{"name":"a","parameters":[]}]', expected: { ok: false, fault: "parameters" } },
  {
    text: '[{"name":"a","description":"b","parameters":{"type":"object"},"other":1}]',
    expected: {
      ok: true,
      value: [{ name: "a", description: "b", parameters: { type: "object" } }],
    },
  },
] as const;
for (const { text, expected } of toolCases) {
  Deno.test(`readTools ${JSON.stringify(text)}`, () => assertEquals(readTools(text), expected));
}

const faultCases = [
  { fields: { temperature: "2.1" }, faults: { temperature: "range" } },
  { fields: { temperature: "hot" }, faults: { temperature: "range" } },
  { fields: { top_p: "-1" }, faults: { top_p: "range" } },
  { fields: { max_tokens: "1.5" }, faults: { max_tokens: "whole" } },
  { fields: { schema: "[]" }, faults: { schema: "object" } },
  { fields: { schema: "{", tools: "{" }, faults: { schema: "json", tools: "json" } },
] as const;
for (const { fields, faults } of faultCases) {
  Deno.test(`readFields ${JSON.stringify(fields)}`, () => {
    const usual = fieldsOf(readPlaygroundSettings(new URLSearchParams()));
    assertEquals(readFields({ ...usual, ...fields }), { faults });
  });
}
