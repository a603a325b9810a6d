import type { JsonValue } from "../../json/mod.ts";
import type { SchemaDialect } from "./dialect.ts";

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
