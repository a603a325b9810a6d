import type { JsonObject, JsonValue } from "../../canonical/mod.ts";
import { textOfPattern } from "./instance_pattern.ts";

/** The longest text to generate. */
const lengthMax = 10_000;

/** Examples for the formats of JSON Schema and the vendors, different for each variant. */
const textOfFormat: ReadonlyMap<JsonValue, (variant: number) => string> = new Map([
  ["date-time", (variant) => `2026-01-01T00:00:${twoDigits(variant % 60)}Z`],
  ["date", (variant) => `2026-01-${twoDigits(variant % 28 + 1)}`],
  ["time", (variant) => `00:00:${twoDigits(variant % 60)}Z`],
  ["duration", (variant) => `P${variant + 1}D`],
  ["email", (variant) => `echo${variant || ""}@example.com`],
  ["idn-email", (variant) => `echo${variant || ""}@example.com`],
  ["hostname", (variant) => `echo${variant || ""}.example.com`],
  ["idn-hostname", (variant) => `echo${variant || ""}.example.com`],
  ["ipv4", (variant) => `192.0.2.${variant % 256}`],
  ["ipv6", (variant) => `2001:db8::${(variant + 1).toString(16)}`],
  ["uri", (variant) => `https://example.com/${variant || ""}`],
  ["url", (variant) => `https://example.com/${variant || ""}`],
  ["iri", (variant) => `https://example.com/${variant || ""}`],
  ["uri-reference", (variant) => `/echo${variant || ""}`],
  ["iri-reference", (variant) => `/echo${variant || ""}`],
  ["uri-template", (variant) => `/echo${variant || ""}/{id}`],
  ["uuid", (variant) => `00000000-0000-4000-8000-${variant.toString(16).padStart(12, "0")}`],
  ["json-pointer", (variant) => `/echo${variant || ""}`],
  ["relative-json-pointer", (variant) => `${variant}`],
  ["regex", (variant) => `echo${variant || ""}`],
  ["byte", (variant) => btoa(`echo${variant || ""}`)],
  ["binary", (variant) => `echo${variant || ""}`],
]);

/**
 * A text within the limits; undefined if there is none. An unsupported pattern is ignored: a text
 * of the right length is better than none.
 */
export function stringOf(schema: JsonObject, variant: number): string | undefined {
  const least = typeof schema.minLength === "number" ? schema.minLength : 0;
  const most = typeof schema.maxLength === "number" ? schema.maxLength : Infinity;
  if (least > lengthMax || least > most) return undefined;
  if (typeof schema.pattern === "string") {
    const text = textOfPattern(schema.pattern, { lengthMin: least, variant });
    if (text !== undefined) return within(text, least, most);
  }
  const format = textOfFormat.get(schema.format ?? null);
  if (format) return within(format(variant), least, most);
  return `echo${variant || ""}`.slice(0, most).padEnd(least, "o");
}

function within(text: string, least: number, most: number): string | undefined {
  const { length } = [...text];
  return length >= least && length <= most ? text : undefined;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
