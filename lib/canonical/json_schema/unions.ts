import type { JsonValue } from "../../json/mod.ts";
import type { SchemaDialect } from "./dialect.ts";
import type { SchemaDraft } from "./translation.ts";

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
