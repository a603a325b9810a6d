import { isJsonObject, type JsonValue } from "../../json/mod.ts";
import type { SchemaDialect } from "./dialect.ts";
import { kindOfKeyword } from "./keywords.ts";
import { type SchemaDraft, type SchemaPath, type Translation, workOf } from "./translation.ts";

/** A schema whose keywords are being written. */
export interface Writing {
  readonly draft: SchemaDraft;
  readonly translation: Translation;
  readonly at: SchemaPath;
}

/** Writes a keyword that contains no schemas, if its value has the right type. */
export function writeConstraint(
  keyword: string,
  value: JsonValue,
  { draft, translation, at }: Writing,
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
