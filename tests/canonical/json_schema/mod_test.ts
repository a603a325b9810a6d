import { assert, assertEquals } from "@std/assert";
import Ajv2020 from "ajv/dist/2020.js";
import fc from "fast-check";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type SchemaDialect,
  translateSchema,
} from "../../../lib/canonical/mod.ts";
import { cpuTimeMs } from "../../cpu_time.ts";

// sound: the package exports its class as `default` of a CommonJS module
const Judge =
  (Ajv2020 as unknown as { default: typeof import("ajv/dist/2020.js").Ajv2020 }).default;

/** The most reduced dialect of any target. */
const reduced: SchemaDialect = {
  keywords: new Set([
    "type",
    "description",
    "enum",
    "items",
    "properties",
    "required",
    "nullable",
    "format",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "anyOf",
  ]),
  refs: "inline",
  constants: "enum",
  oneOf: "any-of",
  allOf: "merge",
  typeArrays: "nullable",
  enumValues: "strings",
  stringFormats: new Set(["date-time"]),
  booleanSchemas: "replace",
  objectRoot: false,
};
const lenient: SchemaDialect = { ...reduced, booleanSchemas: "keep" };
const rich: SchemaDialect = {
  ...reduced,
  keywords: new Set([
    ...reduced.keywords,
    "$ref",
    "$defs",
    "const",
    "oneOf",
    "allOf",
    "additionalProperties",
    "prefixItems",
    "pattern",
    "exclusiveMinimum",
  ].filter((keyword) => keyword !== "nullable")),
  refs: "keep",
  constants: "keep",
  oneOf: "keep",
  allOf: "keep",
  typeArrays: "keep",
  enumValues: "any",
  stringFormats: undefined,
  booleanSchemas: "keep",
};

const lawRuns = 150;

interface Case {
  readonly name: string;
  readonly dialect?: SchemaDialect;
  readonly schema: JsonObject;
  readonly expected: JsonObject;
  /** `path action` of each note, the path being relative to the schema. */
  readonly notes?: readonly string[];
}

/** An object whose members have the names of keywords. */
const keywordNames = {
  type: "object",
  properties: {
    $ref: { type: "string" },
    pattern: { type: "string" },
    allOf: { type: "string" },
  },
  required: ["pattern"],
};

const cases: readonly Case[] = [
  {
    name: "$ref inlined, its siblings first",
    schema: {
      properties: { a: { $ref: "#/$defs/A", description: "An a" } },
      $defs: { A: { type: "string" } },
    },
    expected: { properties: { a: { description: "An a", type: "string" } }, type: "object" },
  },
  {
    name: "$ref by definitions with an escaped pointer",
    schema: {
      type: "array",
      items: { $ref: "#/definitions/a~1b%20c" },
      definitions: { "a/b c": { type: "integer" } },
    },
    expected: { type: "array", items: { type: "integer" } },
  },
  {
    name: "$ref that points nowhere",
    schema: { type: "array", items: { $ref: "https://example.com/x" } },
    expected: {
      type: "array",
      items: { type: "string", description: "$ref: https://example.com/x" },
    },
    notes: [".items.$ref emulated", ".items.type emulated"],
  },
  {
    name: "$ref to what objects inherit points nowhere",
    schema: {
      type: "object",
      $ref: "#/__proto__/constructor",
      properties: { a: { type: "string", $ref: "#/toString" } },
    },
    expected: {
      type: "object",
      properties: { a: { type: "string", description: "$ref: #/toString" } },
      description: "$ref: #/__proto__/constructor",
    },
    notes: [".$ref emulated", ".properties.a.$ref emulated"],
  },
  {
    name: "$ref that recurs is cut at its second round",
    schema: {
      $ref: "#/$defs/N",
      $defs: { N: { type: "object", properties: { next: { $ref: "#/$defs/N" } } } },
    },
    expected: {
      type: "object",
      properties: { next: { type: "object", description: "recursive: #/$defs/N" } },
    },
    notes: [".properties.next.recursive emulated"],
  },
  {
    name: "$ref to the same place twice is no recursion",
    schema: {
      type: "object",
      properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/A" } },
      $defs: {
        A: { allOf: [{ $ref: "#/$defs/B" }, { $ref: "#/$defs/B" }] },
        B: { type: "number" },
      },
    },
    expected: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  },
  {
    name: "const becomes enum",
    schema: { const: "x" },
    expected: { enum: ["x"], type: "string" },
  },
  {
    name: "enum of numbers is described",
    schema: { enum: [1, 2.5] },
    expected: { type: "number", description: "enum: [1,2.5]" },
    notes: [".enum emulated"],
  },
  {
    name: "enum with null is nullable",
    schema: { enum: ["a", null] },
    expected: { enum: ["a"], nullable: true, type: "string" },
  },
  {
    name: "oneOf becomes anyOf",
    schema: { oneOf: [{ type: "string" }, { type: "integer" }] },
    expected: { anyOf: [{ type: "string" }, { type: "integer" }] },
    notes: [".oneOf emulated"],
  },
  {
    name: "anyOf with null is its other member",
    schema: { anyOf: [{ type: "string", minLength: 1 }, { type: "null" }], description: "A" },
    expected: { description: "A (minLength: 1)", nullable: true, type: "string" },
    notes: [".minLength emulated"],
  },
  {
    name: "type array with null is nullable",
    schema: { type: ["string", "null"] },
    expected: { type: "string", nullable: true },
  },
  {
    name: "type array is split with the limits of each",
    schema: { type: ["string", "array"], items: { type: "string" }, minItems: 1, description: "D" },
    expected: {
      description: "D",
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" }, minItems: 1 }],
    },
  },
  {
    name: "allOf is merged",
    schema: {
      allOf: [
        { type: "object", properties: { a: { type: "number", minimum: 1 } }, required: ["a"] },
        { properties: { a: { minimum: 2, maximum: 9 }, b: { type: "string" } }, required: ["b"] },
      ],
    },
    expected: {
      type: "object",
      properties: { a: { type: "number", minimum: 2, maximum: 9 }, b: { type: "string" } },
      required: ["a", "b"],
    },
  },
  {
    name: "allOf that contradicts itself",
    schema: { allOf: [{ type: "string" }, { type: "number" }] },
    expected: { type: "string", description: "type: number" },
    notes: [".type emulated"],
  },
  {
    name: "exclusive limits beside integers",
    schema: { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10, maximum: 20 },
    expected: { type: "integer", maximum: 9, minimum: 1 },
  },
  {
    name: "exclusive limits beside numbers",
    schema: { type: "number", exclusiveMinimum: 0 },
    expected: { type: "number", minimum: 0, description: "exclusiveMinimum: 0" },
    notes: [".exclusiveMinimum emulated"],
  },
  {
    name: "exclusive limits of draft 4",
    dialect: rich,
    schema: { minimum: 3, exclusiveMinimum: true },
    expected: { exclusiveMinimum: 3 },
  },
  {
    name: "unknown keywords go into the description",
    schema: {
      type: "string",
      description: "A name",
      pattern: "^a+$",
      "x-order": 1,
      format: "email",
    },
    expected: {
      type: "string",
      description: "A name (pattern: ^a+$; x-order: 1; format: email)",
    },
    notes: [".pattern emulated", ".x-order emulated", ".format emulated"],
  },
  {
    name: "keywords that say nothing go without a word",
    schema: {
      $schema: "x",
      $id: "y",
      $comment: "z",
      type: "object",
      additionalProperties: true,
      title: "T",
      description: "D",
    },
    expected: { type: "object", description: "D" },
  },
  {
    name: "a title describes what has no description",
    schema: { type: "string", title: "City" },
    expected: { type: "string", description: "City" },
  },
  {
    name: "names under properties are not keywords",
    schema: keywordNames,
    expected: keywordNames,
  },
  {
    name: "names that objects inherit",
    schema: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"const":"a"},"constructor":{"type":"string"}},"required":["toString"]}',
    ),
    expected: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"enum":["a"],"type":"string"},"constructor":{"type":"string"}},"description":"required: [\\"toString\\"]"}',
    ),
    notes: [".required emulated"],
  },
  {
    name: "tuples",
    schema: { type: "array", items: [{ type: "string" }, { type: "number" }] },
    expected: {
      type: "array",
      items: { anyOf: [{ type: "string" }, { type: "number" }] },
      description: 'prefixItems: [{"type":"string"},{"type":"number"}]',
    },
    notes: [".prefixItems emulated"],
  },
  {
    name: "true, false and {} where they are not allowed",
    schema: { type: "object", properties: { a: true, b: false, c: {} } },
    expected: {
      type: "object",
      properties: {
        a: { type: "string", description: "Any value" },
        b: { type: "string", description: "Never allowed" },
        c: { type: "string" },
      },
    },
    notes: [".properties.a emulated", ".properties.b emulated", ".properties.c.type emulated"],
  },
  {
    name: "true, false and {} where they can",
    dialect: rich,
    schema: { properties: { a: true, b: false, c: {} }, additionalProperties: false },
    expected: { properties: { a: true, b: false, c: {} }, additionalProperties: false },
  },
  {
    name: "wrong types everywhere",
    schema: {
      type: 5,
      properties: [1],
      required: 7,
      items: "x",
      anyOf: "x",
      allOf: 5,
      minimum: "3",
      description: 4,
      enum: {},
      $ref: 9,
      nullable: "yes",
    },
    expected: {
      items: { type: "string", description: "Any value" },
      type: "array",
      description:
        "$ref: 9; allOf: 5; type: 5; enum: {}; properties: [1]; required: [7]; anyOf: x; minimum: 3; description: 4; nullable: yes",
    },
    notes: [
      ".$ref emulated",
      ".allOf emulated",
      ".type emulated",
      ".enum emulated",
      ".properties emulated",
      ".required emulated",
      ".items.schema emulated",
      ".items emulated",
      ".anyOf emulated",
      ".minimum emulated",
      ".description emulated",
      ".nullable emulated",
    ],
  },
  {
    name: "a rich dialect keeps what it knows",
    dialect: rich,
    schema: {
      type: ["object", "null"],
      properties: { a: { $ref: "#/$defs/A" }, b: { oneOf: [{ const: 1 }, { const: "x" }] } },
      allOf: [{ required: ["a"] }],
      $defs: { A: { type: "string", pattern: "x" } },
    },
    expected: {
      type: ["object", "null"],
      properties: { a: { $ref: "#/$defs/A" }, b: { oneOf: [{ const: 1 }, { const: "x" }] } },
      allOf: [{ required: ["a"] }],
      $defs: { A: { type: "string", pattern: "x" } },
    },
  },
  {
    name: "nullable is spelt out for a dialect without it",
    dialect: rich,
    schema: { type: "STRING", nullable: true, enum: ["a"] },
    expected: { type: ["string", "null"], enum: ["a", null] },
  },
  {
    name: "an object at the root",
    dialect: { ...rich, objectRoot: true },
    schema: { required: [] },
    expected: { required: [], type: "object", properties: {} },
  },
  {
    name: "an object at the root, whatever it was",
    dialect: { ...rich, objectRoot: true },
    schema: { type: "string" },
    expected: { type: "object", properties: {} },
    notes: [".type repaired"],
  },
];

for (const { name, dialect = reduced, schema, expected, notes = [] } of cases) {
  Deno.test(`translateSchema: ${name}`, () => {
    const before = JSON.stringify(schema);
    const translated = translateSchema(schema, dialect, "s");
    assertEquals(JSON.stringify(translated.schema), JSON.stringify(expected));
    assertEquals(translated.notes.map(({ path, action }) => `${path.slice(1)} ${action}`), notes);
    assertEquals(JSON.stringify(schema), before);
  });
}

const leaf = fc.oneof(
  fc.constantFrom<JsonValue>(true, {}, { type: "null" }, { const: null }, { const: 3 }, {
    const: "a",
  }),
  fc.record({ type: fc.constantFrom("string", "integer", "number", "boolean") }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom("a", "b", 1, null, 2.5), { minLength: 1 }) }),
  fc.record({
    type: fc.constantFrom<JsonValue>("number", "integer", ["integer", "null"], [
      "string",
      "number",
    ]),
    exclusiveMinimum: fc.integer({ min: -2, max: 3 }),
    maximum: fc.integer({ min: 0, max: 5 }),
  }, { requiredKeys: ["type"] }),
  fc.record({ $ref: fc.constantFrom("#/$defs/A", "#/$defs/B", "#") }),
  fc.record({ type: fc.constant("string"), minLength: fc.constant(1), pattern: fc.constant("a") }),
);
const { schema: schemas } = fc.letrec<{ schema: JsonValue }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.record({
      type: fc.constantFrom<JsonValue>("object", ["object", "null"]),
      properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")),
      required: fc.subarray(["a", "b"]),
      additionalProperties: fc.boolean(),
    }, { requiredKeys: [] }),
    fc.record({
      type: fc.constant("array"),
      items: tie("schema"),
      minItems: fc.nat(2),
    }, { requiredKeys: ["type"] }),
    fc.record({
      prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
      items: fc.oneof(fc.boolean(), tie("schema")),
    }),
    fc.record({
      anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
      oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
      allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
      not: tie("schema"),
    }, { requiredKeys: [] }),
  ) as fc.Arbitrary<JsonValue>, // sound: all of them are JSON
}));
const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>("a", "b", "", 1, 2.5, 3, 0, -1, null, true),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b"), tie("value")),
  ) as fc.Arbitrary<JsonValue>, // sound: all of them are JSON
}));
const rootSchemas = fc.tuple(schemas, schemas, schemas).map(([root, a, b]): JsonObject => ({
  ...(isJsonObject(root) ? root : {}),
  $defs: { A: a, B: b },
}));

/** The validator has no `nullable` without a type. */
function spelt(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(spelt);
  if (!isJsonObject(schema)) return schema;
  const { nullable, ...rest } = schema;
  const own = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === "enum" ? value ?? null : spelt(value ?? null),
    ]),
  );
  return nullable === true ? { anyOf: [{ type: "null" }, own] } : own;
}

/** The validator's own check; undefined if it cannot read the schema (a circular `$ref`). */
function checkOf(schema: JsonValue): ((value: JsonValue) => boolean) | undefined {
  try {
    const check = new Judge({ strict: false, validateSchema: false }).compile(schema as JsonObject);
    return (value) => check(value) === true;
  } catch {
    return undefined;
  }
}

/** The validator follows a circular `$ref` until its stack overflows. */
function accepts(check: ((value: JsonValue) => boolean) | undefined, value: JsonValue): boolean {
  try {
    return check?.(value) ?? false;
  } catch {
    return false;
  }
}

Deno.test("translateSchema law: what the schema accepts, its translation accepts", () => {
  let accepted = 0;
  fc.assert(
    fc.property(rootSchemas, fc.array(values, { minLength: 9, maxLength: 9 }), (schema, all) => {
      const translated = spelt(translateSchema(schema, lenient, "s").schema);
      const accepting = ((check) => all.filter((value) => accepts(check, value)))(checkOf(schema));
      const check = accepting.length > 0 ? checkOf(translated) : undefined;
      for (const value of accepting) {
        assert(check?.(value), JSON.stringify({ value, translated }));
        accepted++;
      }
    }),
    { numRuns: lawRuns },
  );
  assert(accepted > lawRuns / 2, `only ${accepted} values were accepted`);
});

function keywordsIn(schema: JsonValue): readonly string[] {
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value = null]) => {
    if (keyword === "properties" && isJsonObject(value)) {
      return [keyword, ...Object.values(value).flatMap((member = null) => keywordsIn(member))];
    }
    const below = Array.isArray(value) ? value : [value];
    return keyword === "enum" ? [keyword] : [keyword, ...below.flatMap(keywordsIn)];
  });
}

Deno.test("translateSchema law: only the dialect's keywords are left, and all is typed", () => {
  fc.assert(
    fc.property(rootSchemas, (schema) => {
      const { schema: translated } = translateSchema(schema, reduced, "s");
      for (const keyword of keywordsIn(translated)) assert(reduced.keywords.has(keyword), keyword);
      assert(translated.type !== undefined || translated.anyOf !== undefined);
    }),
    { numRuns: 500 },
  );
});

Deno.test("translateSchema law: any JSON is translated without an error, the same each time", () => {
  const hostile = fc.dictionary(
    fc.oneof(
      fc.constantFrom(...reduced.keywords, ...rich.keywords, "not", "if", "__proto__"),
      fc.string(),
    ),
    fc.jsonValue({ maxDepth: 4 }),
  );
  fc.assert(
    fc.property(hostile, fc.constantFrom(reduced, rich), (schema, dialect) => {
      const json = schema as JsonObject; // sound: built of JSON values
      const translate = () => JSON.stringify(translateSchema(json, dialect, "s"));
      assertEquals(translate(), translate());
    }),
    { numRuns: 1000 },
  );
});

const double = (ref: (at: number) => JsonObject): JsonObject => ({
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`d${at}`, ref(at + 1)])),
});
const chain: JsonObject = {
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(
    Array.from(
      { length: 20_000 },
      (_, at) => [`d${at}`, { allOf: [{ $ref: `#/$defs/d${at + 1}` }] }],
    ),
  ),
};

function deep(depth: number): JsonObject {
  let schema: JsonObject = { type: "string" };
  for (let level = 0; level < depth; level++) schema = { items: schema };
  return schema;
}

const $ref = "#/$defs/a";
const bounded: readonly { name: string; schema: JsonObject }[] = [
  {
    name: "references that double in properties",
    schema: double((at) => ({
      type: "object",
      properties: { a: { $ref: `#/$defs/d${at}` }, b: { $ref: `#/$defs/d${at}` } },
    })),
  },
  {
    name: "references that double in allOf",
    schema: double((at) => ({
      allOf: [{ $ref: `#/$defs/d${at}` }, { $ref: `#/$defs/d${at}` }],
    })),
  },
  { name: "a long chain of references", schema: chain },
  { name: "100,000 levels", schema: deep(100_000) },
  { name: "300 levels", schema: deep(300) },
  {
    name: "a long text referred to often",
    schema: {
      properties: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`p${at}`, { $ref }])),
      $defs: { a: { type: "string", description: "x".repeat(1_000_000) } },
    },
  },
  {
    name: "10,000 members of allOf",
    schema: {
      allOf: Array.from(
        { length: 10_000 },
        (_, at) => ({ properties: { [`p${at}`]: {} }, description: `d${at}` }),
      ),
    },
  },
  {
    name: "300,000 values",
    schema: { enum: Array.from({ length: 300_000 }, (_, at) => `v${at}`) },
  },
];

for (const { name, schema } of bounded) {
  Deno.test(`translateSchema is bounded and says so: ${name}`, () => {
    const started = cpuTimeMs();
    const { schema: translated, notes } = translateSchema(schema, reduced, "s");
    assert(JSON.stringify(translated).length < 8_000_000);
    assert(notes.some(({ action }) => action === "dropped"));
    assert(cpuTimeMs() - started < 2_000);
  });
}

Deno.test("translateSchema translates 10,000 properties, all of them", () => {
  const property = { type: ["string", "null"], description: "d", enum: ["a", null] };
  const properties = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [`p${at}`, property]),
  );
  const started = performance.now();
  const { schema, notes } = translateSchema({ type: "object", properties }, reduced, "s");
  assertEquals(notes, []);
  assert(isJsonObject(schema.properties));
  assertEquals(Object.keys(schema.properties).length, 10_000);
  assertEquals(schema.properties.p9999, {
    type: "string",
    description: "d",
    enum: ["a"],
    nullable: true,
  });
  assert(performance.now() - started < 1_000);
});
