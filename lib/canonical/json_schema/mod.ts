import { isJsonObject, type JsonObject, type JsonValue } from "../../json/mod.ts";
import type { Note } from "../note.ts";
import {
  describe,
  rewriteLimits,
  valueText,
  writeConstraint,
  type WrittenSchema,
} from "./constraints.ts";
import {
  isTooDeep,
  isWalkableSchema,
  type NoteLoss,
  type SchemaDialect,
  type SchemaDraft,
  type SchemaNoteId,
  type SchemaPath,
  Translation,
  workOf,
} from "./translation.ts";
import { expand } from "./expansion.ts";
import { isIgnorable, schemaPositions, typeOfKeyword } from "./keywords.ts";
import { entriesOf } from "./merge.ts";
import { isPlainScalar, rewriteTypes, rewriteUnions, typesOf } from "./types.ts";

/**
 * Translates a schema into the target's dialect. Constraints that it cannot express go into
 * descriptions and notes. Pure, never throws, and bounded: a schema that is too large or too deep
 * becomes one that allows any value.
 */
export function translateSchema(
  schema: JsonObject,
  dialect: SchemaDialect,
  path: string,
): { readonly schema: JsonObject; readonly notes: readonly Note[] } {
  const translation = new Translation(schema, dialect);
  const at: SchemaPath = { path, references: new Set(["#"]), depth: 0 };
  const translated = isWalkableSchema(schema)
    ? visit(schema, translation, at)
    : overflow(translation, at);
  return { schema: rooted(translated, translation, path), notes: translation.notes() };
}

function overflow(translation: Translation, { path }: SchemaPath): JsonObject {
  translation.note("tooLarge", path);
  return {};
}

/** Makes the root an object schema for targets that require one for tools. */
function rooted(schema: JsonValue, translation: Translation, path: string): JsonObject {
  const object = isJsonObject(schema) ? schema : {};
  if (!translation.dialect.objectRoot) return object;
  if (object.type !== undefined && !typesOf(object.type).includes("object")) {
    translation.note("objectRoot", `${path}.type`);
    return { type: "object", properties: {} };
  }
  return { ...object, type: "object", properties: object.properties ?? {} };
}

function visit(value: JsonValue, translation: Translation, at: SchemaPath): JsonValue {
  if (isTooDeep(at)) translation.note("tooLarge", at.path);
  if (isTooDeep(at) || !translation.spend(1, at)) return permissive(translation);
  const isPlain = isJsonObject(value) && isPlainScalar(value);
  if (isPlain && translation.spend(workOf(value.description ?? ""), at)) return value;
  const hints: string[] = [];
  const remark = (keyword: string, id: SchemaNoteId) =>
    translation.note(id, `${at.path}.${keyword}`);
  const lose: NoteLoss = (keyword, lost, id) => {
    hints.push(`${keyword}: ${valueText(lost)}`);
    remark(keyword, id);
  };
  const { schema, references } = expand(value, { translation, at, lose });
  if (!isJsonObject(schema)) return booleanSchema(schema, translation, at);
  const draft = { keywords: new Map(entriesOf(schema)), lose, remark };
  rewriteUnions(draft, translation.dialect);
  rewriteTypes(draft, translation.dialect);
  rewriteLimits(draft, translation.dialect);
  const keywords = write(draft, translation, { ...at, references });
  if (translation.dialect.booleanSchemas === "replace") giveType(keywords, translation, at);
  describe(keywords, hints, translation.dialect);
  return Object.fromEntries(keywords);
}

/** The replacement of a schema that is left out. */
function permissive({ dialect }: Translation): JsonObject {
  return dialect.booleanSchemas === "replace" ? { type: "string" } : {};
}

/** `true` allows any value and `false` none; only some dialects have such schemas. */
function booleanSchema(schema: boolean, translation: Translation, { path }: SchemaPath): JsonValue {
  if (translation.dialect.booleanSchemas === "keep") return schema;
  translation.note("booleanSchema", path);
  return { type: "string", description: schema ? "Any value" : "Never allowed" };
}

function write(
  draft: SchemaDraft,
  translation: Translation,
  at: SchemaPath,
): Map<string, JsonValue> {
  const keywords = new Map<string, JsonValue>();
  for (const [keyword, value] of draft.keywords) {
    if (translation.dialect.keywords.has(keyword)) {
      const written = writeKeyword(keyword, value, { draft, translation, at });
      if (written !== undefined) keywords.set(keyword, written);
    } else if (keyword === "title") {
      if (titleDescribes(value, draft.keywords, translation.dialect)) {
        keywords.set("description", value);
      }
    } else if (!isIgnorable(keyword, value)) draft.lose(keyword, value, "keyword");
  }
  return keywords;
}

/** A title becomes the description if there is no other. */
function titleDescribes(
  title: JsonValue,
  keywords: ReadonlyMap<string, JsonValue>,
  dialect: SchemaDialect,
): boolean {
  return typeof title === "string" && !keywords.has("description") &&
    dialect.keywords.has("description");
}

function writeKeyword(
  keyword: string,
  value: JsonValue,
  writing: WrittenSchema,
): JsonValue | undefined {
  const position = schemaPositions.get(keyword);
  switch (position) {
    case "map":
      return writeMap(keyword, value, writing);
    case "list":
      return writeList(keyword, value, writing);
    case "schema":
      if (typeof value === "boolean" && mayBeBoolean.has(keyword)) return value;
      return visit(value, writing.translation, below(writing.at, `.${keyword}`));
    case undefined:
      return writeConstraint(keyword, value, writing);
    default:
      return position satisfies never;
  }
}

/** Keywords whose `true` and `false` are settings rather than schemas, in every dialect. */
const mayBeBoolean: ReadonlySet<string> = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "additionalItems",
  "unevaluatedItems",
]);

function below({ path, references, depth }: SchemaPath, step: string): SchemaPath {
  return { path: path + step, references, depth: depth + 1 };
}

function writeMap(
  keyword: string,
  value: JsonValue,
  { draft, translation, at }: WrittenSchema,
): JsonValue | undefined {
  if (!isJsonObject(value)) return void draft.lose(keyword, value, "keywordMap");
  const entries = entriesOf(value).map(([name, schema]) => [
    name,
    visit(schema, translation, below(at, `.${keyword}.${name}`)),
  ]);
  return Object.fromEntries(entries);
}

function writeList(
  keyword: string,
  value: JsonValue,
  { draft, translation, at }: WrittenSchema,
): JsonValue | undefined {
  if (!Array.isArray(value) || value.length === 0) {
    return void draft.lose(keyword, value, "keywordList");
  }
  return value.map((schema: JsonValue, index: number) =>
    visit(schema, translation, below(at, `.${keyword}[${index}]`))
  );
}

/** Adds a type, which a reduced dialect requires in every schema. */
function giveType(
  keywords: Map<string, JsonValue>,
  translation: Translation,
  at: SchemaPath,
): void {
  if (["type", "anyOf", "oneOf", "allOf", "$ref"].some((keyword) => keywords.has(keyword))) return;
  const implied = [...keywords.keys()].map((keyword) => typeOfKeyword.get(keyword))
    .find((type) => type !== undefined);
  keywords.set("type", implied ?? "string");
  if (implied === undefined) {
    translation.note("anyType", `${at.path}.type`);
  }
}
