import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../../json/mod.ts";
import { annotationKeywords, type SchemaType, schemaTypes, typeOfKeyword } from "./keywords.ts";
import type { SchemaDialect, SchemaDraft } from "./translation.ts";

/** Rewrites types, nulls, constants and enums for the dialect. */
export function rewriteTypes(draft: SchemaDraft, dialect: SchemaDialect): void {
  normaliseTypes(draft);
  rewriteConstant(draft.keywords, dialect);
  rewriteNulls(draft, dialect);
  rewriteTypeArray(draft, dialect);
  rewriteEnum(draft, dialect);
}

/** The types of a schema; empty for any. */
export function typesOf(value: JsonValue | undefined): readonly SchemaType[] {
  if (Array.isArray(value)) return schemaTypes.filter((type) => value.includes(type));
  const type = schemaTypes.find((known) => known === value);
  return type === undefined ? [] : [type];
}

function typeOfValue(value: JsonValue): SchemaType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "string" | "boolean" | "object"; // sound: a JSON value is nothing else
}

/** `STRING` is a dialect's spelling of `string`; unknown types are dropped. */
function normaliseTypes({ keywords, lose }: SchemaDraft): void {
  const type = keywords.get("type");
  if (type === undefined) return;
  const names = (Array.isArray(type) ? type : [type]).map((name: JsonValue) =>
    typeof name === "string" ? name.toLowerCase() : name
  );
  const known = typesOf(names);
  if (known.length < new Set(names).size) lose("type", type, "type");
  const [only] = known;
  if (known.length === 0) keywords.delete("type");
  else keywords.set("type", only !== undefined && !Array.isArray(type) ? only : known);
}

function rewriteConstant(keywords: Map<string, JsonValue>, { constants }: SchemaDialect): void {
  const value = keywords.get("const");
  if (value === undefined || constants === "keep") return;
  keywords.delete("const");
  keywords.set("enum", [value]);
}

/** Rewrites `nullable` and the type `null` into the form of the dialect. */
function rewriteNulls({ keywords, lose }: SchemaDraft, dialect: SchemaDialect): void {
  const types = typesOf(keywords.get("type"));
  if (dialect.typeArrays === "nullable") {
    if (!types.includes("null") && !listed(keywords.get("enum")).includes(null)) return;
    const others = types.filter((type) => type !== "null");
    keywords.set("nullable", true);
    if (others.length > 0) keywords.set("type", others.length === 1 ? others[0] as string : others); // sound: there is one
    else if (types.length > 0) {
      keywords.set("type", "string");
      lose("type", "null", "nullType");
    }
    return;
  }
  if (!dialect.keywords.has("nullable")) spellOutNullable(keywords, types);
}

function spellOutNullable(keywords: Map<string, JsonValue>, types: readonly SchemaType[]): void {
  const nullable = keywords.get("nullable");
  if (typeof nullable !== "boolean") return;
  keywords.delete("nullable");
  if (!nullable) return;
  if (types.length > 0 && !types.includes("null")) keywords.set("type", [...types, "null"]);
  const values = keywords.get("enum");
  if (Array.isArray(values) && !values.includes(null)) keywords.set("enum", [...values, null]);
}

/** A list of types becomes an `anyOf` with one type each, if the dialect has no lists. */
function rewriteTypeArray(draft: SchemaDraft, { typeArrays }: SchemaDialect): void {
  const { keywords, lose } = draft;
  const type = keywords.get("type");
  if (!Array.isArray(type) || typeArrays === "keep") return;
  const types = typesOf(type);
  keywords.delete("type");
  if (types.length === 1) keywords.set("type", types[0] as string); // sound: there is one
  else if (keywords.has("anyOf")) lose("type", type, "typeList");
  else splitByType(keywords, types);
}

function splitByType(keywords: Map<string, JsonValue>, types: readonly SchemaType[]): void {
  const constraints = [...keywords].filter(([keyword]) =>
    !annotationKeywords.has(keyword) && keyword !== "nullable"
  );
  for (const [keyword] of constraints) keywords.delete(keyword);
  const branches = types.map((type) => branchOf(type, constraints));
  keywords.set("anyOf", branches.filter((branch) => branch !== undefined));
}

/** The constraints for one type; undefined if an enum has no value of it. */
function branchOf(
  type: SchemaType,
  constraints: readonly [string, JsonValue][],
): JsonObject | undefined {
  const own = constraints.filter(([keyword]) => speaksAbout(keyword, type));
  const branch = new Map<string, JsonValue>([["type", type], ...own]);
  const values = branch.get("enum");
  if (!Array.isArray(values)) return Object.fromEntries(branch);
  const fitting = values.filter((value: JsonValue) => fits(value, type));
  if (fitting.length === 0) return undefined;
  if (type === "null") branch.delete("enum");
  else branch.set("enum", fitting);
  return Object.fromEntries(branch);
}

function speaksAbout(keyword: string, type: SchemaType): boolean {
  const about = typeOfKeyword.get(keyword);
  return about === undefined || about === (type === "integer" ? "number" : type);
}

function fits(value: JsonValue, type: SchemaType): boolean {
  const actual = typeOfValue(value);
  return actual === type || actual === "integer" && type === "number";
}

/** Moves enums of other types into the description if the dialect has only string enums. */
function rewriteEnum({ keywords, lose }: SchemaDraft, dialect: SchemaDialect): void {
  const values = keywords.get("enum");
  if (values === undefined) return;
  if (!Array.isArray(values) || values.length === 0) {
    keywords.delete("enum");
    return lose("enum", values, "enumList");
  }
  if (dialect.enumValues === "any") return;
  const nullable = keywords.get("nullable") === true;
  const said: JsonValue[] = values.filter((value: JsonValue) => value !== null || !nullable);
  const strings = said.every((value) => typeof value === "string");
  if (!strings) lose("enum", values, "enumValues");
  if (strings && said.length > 0) keywords.set("enum", said);
  else keywords.delete("enum");
  const type = typeOfAll(said);
  if (type && !keywords.has("type")) keywords.set("type", type);
}

/** The common type of all values; undefined if they have several. */
function typeOfAll(values: JsonArray): SchemaType | undefined {
  const types = new Set(values.map(typeOfValue));
  if (types.has("number")) types.delete("integer");
  const [only = "string"] = types;
  return types.size <= 1 ? only : undefined;
}

function listed(value: JsonValue | undefined): JsonArray {
  return Array.isArray(value) ? value : [];
}

/** Returns true for a scalar type with at most a description: every dialect accepts it unchanged. */
export function isPlainScalar(schema: JsonObject): boolean {
  for (const keyword in schema) {
    if (keyword !== "type" && keyword !== "description") return false;
  }
  const { type, description = "" } = schema;
  return typeof description === "string" && plainTypes.has(type);
}

const plainTypes: ReadonlySet<unknown> = new Set<SchemaType>([
  "string",
  "number",
  "integer",
  "boolean",
]);

/** Returns true if a schema accepts nothing but null. */
export function isNullSchema(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return false;
  const { type, enum: values } = schema;
  return type === "null" || type === "NULL" || schema.const === null ||
    Array.isArray(values) && values.length === 1 && values[0] === null;
}

/** Rewrites `oneOf` and tuples for the dialect. */
export function rewriteUnions(draft: SchemaDraft, dialect: SchemaDialect): void {
  rewriteOneOf(draft, dialect);
  normaliseTuple(draft.keywords);
  rewriteTuple(draft, dialect);
}

function rewriteOneOf({ keywords, lose, remark }: SchemaDraft, { oneOf }: SchemaDialect): void {
  const members = keywords.get("oneOf");
  if (members === undefined || oneOf === "keep") return;
  keywords.delete("oneOf");
  if (keywords.has("anyOf")) return lose("oneOf", members, "unionBeside");
  remark("oneOf", "oneOf");
  keywords.set("anyOf", members);
}

/** Up to draft 2019-09 a tuple was a list of `items`. */
function normaliseTuple(keywords: Map<string, JsonValue>): void {
  const items = keywords.get("items");
  if (!Array.isArray(items)) return;
  const rest = keywords.get("additionalItems");
  keywords.delete("items");
  keywords.delete("additionalItems");
  keywords.set("prefixItems", items);
  if (rest !== undefined) keywords.set("items", rest);
}

/**
 * Without tuples each item may match any member. A tuple that does not mention further items allows
 * none; only `items: true` allows them.
 */
function rewriteTuple({ keywords, lose }: SchemaDraft, dialect: SchemaDialect): void {
  const prefix = keywords.get("prefixItems");
  if (!Array.isArray(prefix) || dialect.keywords.has("prefixItems")) return;
  if (!dialect.keywords.has("items")) return;
  const rest = keywords.get("items");
  const members: JsonValue[] = [...prefix, ...(typeof rest === "object" ? [rest] : [])];
  keywords.delete("prefixItems");
  lose("prefixItems", prefix, "tuple");
  if (rest === true) return void keywords.delete("items");
  const [only = true] = members;
  keywords.set("items", members.length > 1 ? { anyOf: members } : only);
}
