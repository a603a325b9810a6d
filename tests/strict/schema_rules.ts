import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/canonical/mod.ts";

/** The JSON Schema features that a vendor accepts. */
export interface StrictDialect {
  /** The permitted keywords; absent for any. */
  readonly keywords?: ReadonlySet<string>;
  readonly refs: boolean;
  /** Objects must be closed. */
  readonly closed: boolean;
  /** Every property must be required. */
  readonly allRequired: boolean;
  readonly enums: "any" | "strings";
  readonly typeArrays: boolean;
  /** The permitted values of `format`; absent for any. */
  readonly formats?: ReadonlySet<string>;
}

const maps = new Set(["properties", "$defs", "definitions", "patternProperties"]);
const lists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const singles = new Set(["items", "not", "if", "then", "else", "contains", "additionalProperties"]);
const data = new Set(["default", "enum", "const", "example", "examples"]);

/** The faults of a schema in this dialect, as error messages. */
export function schemaFaults(schema: JsonObject, dialect: StrictDialect): string[] {
  return [...faults(schema, dialect, "schema")];
}

function* faults(schema: JsonObject, dialect: StrictDialect, path: string): Generator<string> {
  for (const keyword of Object.keys(schema)) {
    if (dialect.keywords && !dialect.keywords.has(keyword)) {
      yield `${path}: Unknown name "${keyword}"`;
    }
  }
  yield* valueFaults(schema, dialect, path);
  for (const [keyword, value] of Object.entries(schema)) {
    if (data.has(keyword)) continue;
    for (const [name, inner] of schemasIn(keyword, value)) {
      yield* faults(inner, dialect, `${path}.${name}`);
    }
  }
}

function* valueFaults(
  schema: JsonObject,
  dialect: StrictDialect,
  path: string,
): Generator<string> {
  if (!dialect.refs && schema.$ref !== undefined) yield `${path}: $ref is not supported`;
  if (!dialect.typeArrays && Array.isArray(schema.type)) yield `${path}.type: must be one type`;
  if (dialect.enums === "strings" && Array.isArray(schema.enum)) {
    if (schema.enum.some((value: JsonValue) => typeof value !== "string")) {
      yield `${path}.enum: must be strings`;
    }
  }
  if (
    dialect.formats && schema.format !== undefined && !dialect.formats.has(String(schema.format))
  ) {
    yield `${path}.format: ${JSON.stringify(schema.format)} is not supported`;
  }
  if (isJsonObject(schema.properties)) {
    yield* objectFaults(schema, schema.properties, dialect, path);
  }
}

function* objectFaults(
  schema: JsonObject,
  properties: JsonObject,
  dialect: StrictDialect,
  path: string,
): Generator<string> {
  if (dialect.closed && schema.additionalProperties !== false) {
    yield `${path}: 'additionalProperties' must be false`;
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  if (dialect.allRequired && Object.keys(properties).some((name) => !required.includes(name))) {
    yield `${path}: 'required' must hold every key of 'properties'`;
  }
}

function schemasIn(keyword: string, value: JsonValue | undefined): [string, JsonObject][] {
  if (singles.has(keyword)) return isJsonObject(value) ? [[keyword, value]] : [];
  if (lists.has(keyword) && Array.isArray(value)) {
    return value.flatMap((inner: JsonValue, index): [string, JsonObject][] =>
      isJsonObject(inner) ? [[`${keyword}[${index}]`, inner]] : []
    );
  }
  if (!maps.has(keyword) || !isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, JsonObject][] =>
    isJsonObject(inner) ? [[`${keyword}.${name}`, inner]] : []
  );
}

const words = (text: string) => new Set(text.split(" "));

/** Conversions section 5, a column each. */
export const strictDialects = {
  /** `strict: true` of chat-completions and responses. */
  openStrict: {
    keywords: words(
      "type properties required additionalProperties items anyOf $ref $defs definitions enum const " +
        "description title default format pattern minimum maximum exclusiveMinimum exclusiveMaximum " +
        "multipleOf minItems maxItems minLength maxLength $schema",
    ),
    refs: true,
    closed: true,
    allRequired: true,
    enums: "any",
    typeArrays: true,
  },
  open: { refs: true, closed: false, allRequired: false, enums: "any", typeArrays: true },
  /** `output_config.format` and strict tools of messages. */
  messagesStrict: {
    keywords: words(
      "type properties required additionalProperties items anyOf allOf $ref $defs enum const " +
        "description title default format minItems",
    ),
    refs: true,
    closed: true,
    allRequired: false,
    enums: "any",
    typeArrays: true,
    formats: words("date-time time date duration email hostname uri ipv4 ipv6 uuid"),
  },
  /** `parameters` and `responseSchema` of generate-content. */
  generateSchema: {
    keywords: words(
      "type format title description nullable default example enum items minItems maxItems properties " +
        "required propertyOrdering minProperties maxProperties minimum maximum minLength maxLength " +
        "pattern anyOf",
    ),
    refs: false,
    closed: false,
    allRequired: false,
    enums: "strings",
    typeArrays: false,
    formats: words("enum date-time int32 int64 float double"),
  },
  /** `parametersJsonSchema` and `responseJsonSchema` of generate-content. */
  generateJsonSchema: {
    keywords: words(
      "$schema $id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems " +
        "minimum maximum anyOf oneOf properties additionalProperties required propertyOrdering",
    ),
    refs: true,
    closed: false,
    allRequired: false,
    enums: "any",
    typeArrays: true,
  },
} as const satisfies Record<string, StrictDialect>;
