import { assert, assertEquals } from "@std/assert";
import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";
import type { JsonObject } from "../../lib/canonical/mod.ts";
import { instanceOf } from "../../lib/upstreams/embedded/instance.ts";

// sound: both packages export their function as `default` of a CommonJS module
const Judge =
  (Ajv2020 as unknown as { default: typeof import("ajv/dist/2020.js").Ajv2020 }).default;
const formats = (addFormats as unknown as { default: (judge: unknown) => void }).default;

function violations(schema: JsonObject, value: unknown): unknown {
  const judge = new Judge({ strict: false, allErrors: true });
  formats(judge);
  return judge.validate(schema, value) ? [] : judge.errors;
}

const node = {
  type: "object",
  properties: {
    value: { type: "integer" },
    next: { anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }] },
    children: { type: "array", items: { $ref: "#/$defs/Node" } },
  },
  required: ["value", "next", "children"],
  additionalProperties: false,
};

const cases: readonly { name: string; schema: JsonObject }[] = [
  { name: "empty schema", schema: {} },
  {
    name: "required and optional properties",
    schema: {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "boolean" }, c: { type: "null" } },
      required: ["a", "unknown"],
    },
  },
  { name: "enum", schema: { enum: ["x", 2, null] } },
  { name: "const object", schema: { const: { a: [1] } } },
  { name: "type array", schema: { type: ["null", "string"], minLength: 3 } },
  { name: "no type, limits alone", schema: { minimum: 7 } },
  { name: "integer limits", schema: { type: "integer", exclusiveMinimum: 3, maximum: 4 } },
  { name: "number between", schema: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 } },
  { name: "number below", schema: { type: "number", exclusiveMaximum: -5 } },
  {
    name: "anyOf whose first member has no multiple within its limits",
    schema: {
      anyOf: [
        { type: "integer", minimum: 10, maximum: 12, multipleOf: 7 },
        { type: "integer", minimum: 10, exclusiveMaximum: 14, multipleOf: 7 },
        { type: "string" },
      ],
    },
  },
  { name: "multipleOf", schema: { type: "integer", minimum: 10, multipleOf: 7 } },
  { name: "multipleOf from above", schema: { type: "number", maximum: -1, multipleOf: 0.5 } },
  { name: "minLength and maxLength", schema: { type: "string", minLength: 9, maxLength: 9 } },
  { name: "maxLength 0", schema: { type: "string", maxLength: 0 } },
  { name: "minItems", schema: { type: "array", items: { type: "number" }, minItems: 3 } },
  { name: "maxItems 0", schema: { type: "array", items: { type: "number" }, maxItems: 0 } },
  {
    name: "anyOf beside properties",
    schema: {
      type: "object",
      properties: { kind: { type: "string" } },
      required: ["kind"],
      anyOf: [
        { properties: { kind: { const: "a" } }, required: ["x"] },
        { properties: { kind: { const: "b" } } },
      ],
    },
  },
  {
    name: "oneOf with a discriminator",
    schema: {
      oneOf: [
        {
          type: "object",
          properties: { t: { const: "x" }, n: { type: "number" } },
          required: ["t", "n"],
        },
        { type: "object", properties: { t: { const: "y" } }, required: ["t"] },
      ],
    },
  },
  {
    name: "anyOf whose first member is impossible",
    schema: { anyOf: [false, { type: "integer" }] },
  },
  {
    name: "anyOf whose first member contradicts",
    schema: { type: "string", anyOf: [{ type: "number" }, { minLength: 2 }] },
  },
  {
    name: "allOf",
    schema: {
      allOf: [
        { type: "object", properties: { a: { type: "integer", minimum: 2 } }, required: ["a"] },
        { properties: { a: { maximum: 2 }, b: { type: "string" } }, required: ["b"] },
      ],
    },
  },
  { name: "recursion", schema: { $ref: "#/$defs/Node", $defs: { Node: node } } },
  {
    name: "recursion that must go on a while",
    schema: {
      type: "object",
      properties: { self: { $ref: "#" }, end: { type: "boolean" } },
      anyOf: [{ required: ["end"] }, { required: ["self"] }],
    },
  },
  {
    name: "definitions with pointers",
    schema: {
      type: "object",
      properties: { a: { $ref: "#/definitions/a~1b%25" } },
      required: ["a"],
      definitions: { "a/b%": { type: "integer" } },
    },
  },
  {
    name: "a property named __proto__",
    schema: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"integer"}},"required":["__proto__"]}',
    ),
  },
  ...["date-time", "date", "time", "email", "uri", "uuid"].map((format) => ({
    name: `format ${format}`,
    schema: { type: "string", format },
  })),
];

for (const { name, schema } of cases) {
  Deno.test(`instanceOf: ${name}`, () => {
    const value = instanceOf(schema);
    assertEquals(violations(schema, value), [], JSON.stringify(value));
    assertEquals(instanceOf(schema), value);
  });
}

Deno.test("instanceOf fills in optional properties", () => {
  const schema = { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } };
  assertEquals(instanceOf(schema), { a: "echo", b: 1 });
});

const bomb = {
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(Array.from({ length: 40 }, (_, at) => {
    const $ref = `#/$defs/d${at + 1}`;
    return [`d${at}`, {
      type: "object",
      properties: { a: { $ref }, b: { $ref } },
      required: ["a", "b"],
    }];
  })),
};

function nested(depth: number): JsonObject {
  let schema: JsonObject = {};
  for (let level = 0; level < depth; level++) schema = { items: schema };
  return schema;
}

const hostile: readonly { name: string; schema: JsonObject }[] = [
  { name: "references that double", schema: bomb },
  { name: "a reference to itself", schema: { $ref: "#" } },
  {
    name: "an endless required recursion",
    schema: { properties: { a: { $ref: "#" } }, required: ["a"] },
  },
  { name: "100,000 levels", schema: nested(100_000) },
  { name: "10,000 items", schema: { type: "array", minItems: 10_000 } },
  { name: "a billion items", schema: { type: "array", minItems: 1e9 } },
  { name: "a billion characters", schema: { type: "string", minLength: 1e9 } },
  {
    name: "a billion repetitions",
    schema: { type: "string", pattern: "^((a{9999}){9999}){9999}$" },
  },
  {
    name: "wrong types everywhere",
    schema: {
      type: 5,
      properties: [1],
      required: { a: 1 },
      items: "x",
      enum: {},
      anyOf: "x",
      allOf: [null, 5],
      pattern: 7,
      $ref: 9,
    },
  },
  {
    name: "20,000 unions",
    schema: {
      allOf: Array.from(
        { length: 20_000 },
        () => ({ anyOf: [{ type: "string" }, { type: "number" }] }),
      ),
    },
  },
  {
    name: "unions that exclude each other",
    schema: {
      allOf: Array.from(
        { length: 40 },
        (_, at) => ({ anyOf: [{ required: ["a"] }, { required: [`b${at}`] }] }),
      ),
      properties: { a: false },
      type: "object",
    },
  },
];

for (const { name, schema } of hostile) {
  Deno.test(`instanceOf is bounded: ${name}`, () => {
    const started = performance.now();
    const value = instanceOf(schema);
    assert(JSON.stringify(value).length < 1_000_000);
    assert(performance.now() - started < 2_000);
  });
}
