import type { JsonValue } from "../../json/mod.ts";

/** The positions of sub-schemas. Under a `map` keyword the keys are names, never keywords. */
export const schemaPositions: ReadonlyMap<string, "map" | "list" | "schema"> = new Map([
  ["properties", "map"],
  ["patternProperties", "map"],
  ["dependentSchemas", "map"],
  ["$defs", "map"],
  ["definitions", "map"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["oneOf", "list"],
  ["prefixItems", "list"],
  ["items", "schema"],
  ["additionalItems", "schema"],
  ["additionalProperties", "schema"],
  ["unevaluatedItems", "schema"],
  ["unevaluatedProperties", "schema"],
  ["contains", "schema"],
  ["propertyNames", "schema"],
  ["contentSchema", "schema"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
]);

const silentKeywords: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "id",
  "$comment",
  "$anchor",
  "$dynamicAnchor",
  "$vocabulary",
  "$defs",
  "definitions",
]);

/** Returns true for keywords that do not constrain a value: a target without them loses nothing. */
export function isIgnorable(keyword: string, value: JsonValue): boolean {
  return silentKeywords.has(keyword) || value === neutralValues.get(keyword);
}

const neutralValues: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["additionalProperties", true],
  ["unevaluatedProperties", true],
  ["additionalItems", true],
  ["unevaluatedItems", true],
  ["items", true],
  ["uniqueItems", false],
  ["nullable", false],
  ["deprecated", false],
  ["readOnly", false],
  ["writeOnly", false],
  ["minLength", 0],
  ["minItems", 0],
  ["minProperties", 0],
]);

/** The value type of a keyword; absent for keywords that contain schemas or any value. */
export const kindOfKeyword: ReadonlyMap<string, "number" | "string" | "boolean"> = new Map([
  ...kindsOf("number", [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
  ]),
  ...kindsOf("string", ["title", "description", "pattern", "format", "$ref"]),
  ...kindsOf("boolean", ["uniqueItems", "nullable", "deprecated", "readOnly", "writeOnly"]),
]);

function kindsOf<Kind extends string>(kind: Kind, keywords: readonly string[]): [string, Kind][] {
  return keywords.map((keyword) => [keyword, kind]);
}

/** Keywords that describe without constraining: they stay outside when a schema becomes an `anyOf`. */
export const annotationKeywords: ReadonlySet<string> = new Set([
  ...silentKeywords,
  "title",
  "description",
  "default",
  "example",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

export const schemaTypes = [
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
] as const;
export type SchemaType = typeof schemaTypes[number];

/** The JSON type to which a keyword applies; absent for keywords that apply to all. */
export const typeOfKeyword: ReadonlyMap<string, SchemaType> = new Map<string, SchemaType>([
  ...keywordsOf("string", ["minLength", "maxLength", "pattern", "format", "contentEncoding"]),
  ...keywordsOf("number", [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
  ]),
  ...keywordsOf("array", [
    "items",
    "prefixItems",
    "additionalItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
  ]),
  ...keywordsOf("object", [
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
  ]),
]);

function keywordsOf(type: SchemaType, keywords: readonly string[]): [string, SchemaType][] {
  return keywords.map((keyword) => [keyword, type]);
}
