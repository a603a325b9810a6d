import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type SchemaDialect,
} from "../../canonical/mod.ts";

const structure = [
  "$ref $defs type enum const default title description",
  "properties required additionalProperties items anyOf",
].join(" ").split(" ");

/** Structured output and strict tools: the keywords that the vendor's own SDK keeps. */
export const strictSchemas: SchemaDialect = {
  keywords: new Set([...structure, "format", "minItems", "allOf"]),
  refs: "keep",
  constants: "keep",
  oneOf: "any-of",
  allOf: "keep",
  typeArrays: "keep",
  enumValues: "any",
  stringFormats: new Set(
    "date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "),
  ),
  booleanSchemas: "keep",
  objectRoot: false,
};

/** Closes every object of the schema, as strict mode requires; `changed` if one was open. */
export function closedSchema(schema: JsonObject): { schema: JsonObject; changed: boolean } {
  let changed = false;
  const close = (value: JsonValue | undefined): JsonValue | undefined => {
    if (Array.isArray(value)) return value.map((item: JsonValue) => close(item) ?? item);
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map((
      [key, inner],
    ) => [
      key,
      isMap(key, inner) ? closeMap(inner, close) : nested.has(key) ? close(inner) : inner,
    ]);
    const closed: JsonObject = Object.fromEntries(entries);
    if (!isObjectSchema(value)) return closed;
    changed ||= value.additionalProperties !== false;
    return { ...closed, additionalProperties: false };
  };
  const closed = close(schema);
  return { schema: isJsonObject(closed) ? closed : {}, changed };
}

const maps: ReadonlySet<string> = new Set(["properties", "$defs"]);
const nested: ReadonlySet<string> = new Set(["items", "anyOf", "allOf"]);

function isMap(key: string, value: JsonValue | undefined): value is JsonObject {
  return maps.has(key) && isJsonObject(value);
}

function closeMap(
  map: JsonObject,
  close: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, close(value)]));
}

function isObjectSchema({ type, properties }: JsonObject): boolean {
  return type === "object" || isJsonObject(properties) ||
    Array.isArray(type) && type.includes("object");
}
