import type { JsonValue } from "../../json/mod.ts";
import type { SchemaDialect } from "./dialect.ts";
import type { SchemaDraft } from "./translation.ts";

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
