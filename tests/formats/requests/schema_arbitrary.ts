import fc from "fast-check";
import type { JsonObject } from "../../../lib/canonical/mod.ts";

/** Random JSON schemas of tools: every keyword that agents are known to send. */

const leaf: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { type: "string" },
  { type: "string", minLength: 1, maxLength: 9, pattern: "^a" },
  { type: "string", format: "date-time" },
  { type: "string", format: "x-odd" },
  { type: "integer", minimum: 1, exclusiveMaximum: 9 },
  { type: "number", multipleOf: 0.5 },
  { type: ["string", "null"], description: "maybe" },
  { type: "string", enum: ["a", "b"] },
  { enum: [1, 2, "x"] },
  { const: "fixed" },
  { const: 7 },
  { type: "boolean", default: false },
  { $ref: "#/$defs/shared" },
  { anyOf: [{ type: "string" }, { type: "integer" }] },
  { oneOf: [{ type: "string" }, { type: "null" }] },
  { allOf: [{ type: "object", properties: { x: { type: "string" } } }, { required: ["x"] }] },
  { not: { type: "string" } },
  { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true },
  { type: "array", prefixItems: [{ type: "string" }] },
  { if: { type: "string" }, then: { minLength: 2 } },
  {},
);

const property = fc.letrec<{ value: JsonObject; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 2 }, leaf, tie("object")),
  object: fc.record({
    properties: fc.dictionary(fc.constantFrom("a", "b", "café", "x-y", "type"), tie("value"), {
      maxKeys: 3,
    }),
    closed: fc.constantFrom(undefined, false, true),
    all: fc.boolean(),
  }).map(({ properties, closed, all }) => ({
    type: "object",
    properties,
    ...(all && { required: Object.keys(properties) }),
    ...(closed !== undefined && { additionalProperties: closed }),
  })),
}));

/** A schema with an object at its root. */
export const anySchema: fc.Arbitrary<JsonObject> = fc.tuple(property.object, fc.boolean()).map(
  ([schema, dated]) => ({
    ...(dated && { $schema: "https://json-schema.org/draft/2020-12/schema" }),
    ...schema,
    ...(JSON.stringify(schema).includes("#/$defs/shared") &&
      { $defs: { shared: { type: "string", title: "Shared" } } }),
  }),
);
