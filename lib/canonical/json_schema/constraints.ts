import { isJsonObject, type JsonValue } from "../../json/mod.ts";
import { kindOfKeyword } from "./keywords.ts";
import {
  type SchemaDialect,
  type SchemaDraft,
  type SchemaPath,
  type Translation,
  workOf,
} from "./translation.ts";

/** A schema whose keywords are being written. */
export interface WrittenSchema {
  readonly draft: SchemaDraft;
  readonly translation: Translation;
  readonly at: SchemaPath;
}

/** Writes a keyword that contains no schemas, if its value has the right type. */
export function writeConstraint(
  keyword: string,
  value: JsonValue,
  { draft, translation, at }: WrittenSchema,
): JsonValue | undefined {
  if (!translation.spend(workOf(value), at)) return undefined;
  if (keyword === "required") return writeRequired(value, draft, translation.dialect);
  const kind = kindOfKeyword.get(keyword);
  if (kind && typeof value !== kind) return void draft.lose(keyword, value, "keywordKind");
  const { stringFormats } = translation.dialect;
  if (keyword !== "format" || typeof value !== "string" || !stringFormats) return value;
  return stringFormats.has(value) ? value : void draft.lose(keyword, value, "stringFormat");
}

/** A dialect that replaces boolean schemas also requires a declaration of each required name. */
function writeRequired(
  value: JsonValue,
  { keywords, lose }: SchemaDraft,
  { booleanSchemas }: SchemaDialect,
): JsonValue | undefined {
  const names: JsonValue[] = Array.isArray(value) ? [...new Set(value)] : [value];
  const properties = keywords.get("properties");
  const declared = isJsonObject(properties) ? properties : {};
  const kept = names.filter((name) =>
    typeof name === "string" && (booleanSchemas === "keep" || Object.hasOwn(declared, name))
  );
  const lost = names.filter((name) => !kept.includes(name));
  if (lost.length > 0) lose("required", lost, "required");
  return kept.length > 0 || booleanSchemas === "keep" ? kept : undefined;
}

/** Rewrites exclusive limits for the dialect; call it once the types are settled. */
export function rewriteLimits(draft: SchemaDraft, dialect: SchemaDialect): void {
  normaliseLimits(draft.keywords);
  rewriteExclusiveLimits(draft, dialect);
}

/** Draft 4 used `exclusiveMinimum: true` beside a minimum. */
function normaliseLimits(keywords: Map<string, JsonValue>): void {
  for (const [exclusive, inclusive] of exclusiveLimits) {
    const value = keywords.get(exclusive);
    if (typeof value !== "boolean") continue;
    const limit = keywords.get(inclusive);
    keywords.delete(exclusive);
    if (!value || limit === undefined) continue;
    keywords.delete(inclusive);
    keywords.set(exclusive, limit);
  }
}

const exclusiveLimits = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const;

/** For integers an exclusive limit becomes the next number; otherwise the description also states it. */
function rewriteExclusiveLimits({ keywords, lose }: SchemaDraft, dialect: SchemaDialect): void {
  for (const [exclusive, inclusive] of exclusiveLimits) {
    const limit = keywords.get(exclusive);
    if (typeof limit !== "number" || dialect.keywords.has(exclusive)) continue;
    if (!dialect.keywords.has(inclusive)) continue;
    keywords.delete(exclusive);
    const integer = keywords.get("type") === "integer";
    keywords.set(
      inclusive,
      tighter(inclusive, keywords.get(inclusive), nextTo(limit, inclusive, integer)),
    );
    if (!integer) lose(exclusive, limit, "exclusiveLimit");
  }
}

function nextTo(limit: number, inclusive: "minimum" | "maximum", integer: boolean): number {
  if (!integer) return limit;
  return inclusive === "minimum" ? Math.floor(limit) + 1 : Math.ceil(limit) - 1;
}

function tighter(inclusive: "minimum" | "maximum", present: JsonValue | undefined, limit: number) {
  if (typeof present !== "number") return limit;
  return inclusive === "minimum" ? Math.max(present, limit) : Math.min(present, limit);
}

const valueCharsMax = 200;

/** A value as text: strings unchanged, everything else as JSON, cut to a maximum. */
export function valueText(value: JsonValue): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax).toWellFormed()}…` : text;
}

/** Adds hints to a schema's description: `The city (pattern: ^a+$; minLength: 2)`. */
export function describe(
  keywords: Map<string, JsonValue>,
  hints: readonly string[],
  { keywords: allowed }: SchemaDialect,
): void {
  if (hints.length === 0 || !allowed.has("description")) return;
  const said = keywords.get("description");
  const text = hints.join("; ");
  keywords.set("description", typeof said === "string" && said !== "" ? `${said} (${text})` : text);
}
