import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type SchemaDialect,
} from "../../canonical/mod.ts";
import { listOf } from "../wire_value.ts";
import { protoNumber } from "./spelling.ts";

/**
 * The subset of JSON Schema that `parametersJsonSchema` and `responseJsonSchema` accept, as the
 * vendor documents it. The vendor may refuse other keywords, so schemas are always translated.
 */
export const jsonSchemas: SchemaDialect = {
  keywords: new Set([
    "$defs",
    "$ref",
    "$anchor",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "properties",
    "additionalProperties",
    "required",
    "propertyOrdering",
  ]),
  refs: "keep",
  constants: "enum",
  oneOf: "any-of",
  allOf: "merge",
  typeArrays: "keep",
  enumValues: "any",
  booleanSchemas: "keep",
  objectRoot: false,
};

/** Tools accept an object only. */
export const toolSchemas: SchemaDialect = { ...jsonSchemas, objectRoot: true };

/**
 * Converts the older `Schema` (an OpenAPI subset: upper-case types, `nullable`, 64-bit limits as
 * strings) to JSON Schema. Unknown keywords stay unchanged.
 */
export function decodeSchema(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([key, value]) => decodeKeyword(key, value));
  const decoded = Object.fromEntries(entries);
  return schema.nullable === true ? withNull(decoded) : decoded;
}

/** The inverse of `decodeSchema`. */
export function encodeSchema(schema: JsonObject): JsonObject {
  const nullable = withoutNull(schema);
  const entries = Object.entries(nullable ?? schema).flatMap(([key, value]) =>
    encodeKeyword(key, value)
  );
  return { ...Object.fromEntries(entries), ...(nullable && { nullable: true }) };
}

/** Returns true if the schema is an object without members, which this format expresses by omitting the schema. */
export function takesNothing(schema: JsonObject | undefined): boolean {
  if (!schema) return true;
  const { type, properties, required, additionalProperties, $schema: _, ...rest } = schema;
  return Object.keys(rest).length === 0 && (type === undefined || type === "object") &&
    (properties === undefined ||
      (isJsonObject(properties) && Object.keys(properties).length === 0)) &&
    listOf(required).length === 0 &&
    (additionalProperties === undefined || additionalProperties === false);
}

type Entry = readonly [string, JsonValue | undefined];

function decodeKeyword(key: string, value: JsonValue | undefined): Entry[] {
  if (value === null || value === undefined) return [];
  if (key === "type" && typeof value === "string") {
    return value === "TYPE_UNSPECIFIED" ? [] : [["type", value.toLowerCase()]];
  }
  if (key === "nullable") return value === true || value === false ? [] : [[key, value]];
  if (key === "example") return [["examples", [value]]];
  if (bigIntegers.has(key)) return [[key, protoNumber(value) ?? value]];
  return [[key, below(key, value, decodeSchema)]];
}

function encodeKeyword(key: string, value: JsonValue | undefined): Entry[] {
  if (key === "type" && typeof value === "string") return [["type", value.toUpperCase()]];
  if (key === "examples" && Array.isArray(value)) return [["example", value[0]]];
  return [[key, below(key, value, encodeSchema)]];
}

const bigIntegers: ReadonlySet<string> = new Set([
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minProperties",
  "maxProperties",
]);

function below(
  key: string,
  value: JsonValue | undefined,
  convert: (schema: JsonObject) => JsonObject,
): JsonValue | undefined {
  if (key === "items" && isJsonObject(value)) return convert(value);
  if (key === "properties" && isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        isJsonObject(inner) ? convert(inner) : inner,
      ]),
    );
  }
  if (key === "anyOf" && Array.isArray(value)) {
    return value.map((inner) => isJsonObject(inner) ? convert(inner) : inner);
  }
  return value;
}

function withNull(schema: JsonObject): JsonObject {
  const { type, anyOf, enum: values } = schema;
  return {
    ...schema,
    ...(typeof type === "string" && { type: [type, "null"] }),
    ...(Array.isArray(anyOf) && { anyOf: [...anyOf, { type: "null" }] }),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

/** The schema without `null`, if `withNull` may have added it. */
function withoutNull(schema: JsonObject): JsonObject | undefined {
  const { type, anyOf, enum: values } = schema;
  const [only, other] = Array.isArray(type) ? type : [];
  const nullType = Array.isArray(type) && type.length === 2 && other === "null";
  const last = Array.isArray(anyOf) ? anyOf.at(-1) : undefined;
  const nullUnion = isJsonObject(last) && last.type === "null" && Object.keys(last).length === 1;
  if (!nullType && !nullUnion) return undefined;
  return {
    ...schema,
    ...(nullType && { type: only }),
    ...(nullUnion && { anyOf: listOf(anyOf).slice(0, -1) }),
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
  };
}
