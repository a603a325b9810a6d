import { createRequire } from "node:module";
import type { JsonObject, JsonValue } from "../../canonical/mod.ts";
import type { Search } from "./instance_flat.ts";

/** Longer texts, and texts of longer patterns, are not generated. */
const lengthMax = 10_000;
const patternCharsMax = 100;

/** Randexp ignores lookarounds, takes `\k<` and `\u{` literally, and is slow beyond ASCII. */
const unsupported = /\P{ASCII}|\(\?<?[=!]|\\[pPku][{<]/u;

/** One character for each Unicode property that patterns often have, which randexp cannot read. */
const properties = /\\p\{(?:(L|Ll)|(Lu)|(?:N|Nd))\}/g;

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
export function stringOf(
  schema: JsonObject,
  { left }: Search,
  variant: number,
): string | undefined {
  const least = typeof schema.minLength === "number" ? schema.minLength : 0;
  const most = typeof schema.maxLength === "number" ? schema.maxLength : Infinity;
  if (least > lengthMax || least > most) return undefined;
  if (typeof schema.pattern === "string") {
    const text = textOfPattern(schema.pattern, { least, left, variant });
    if (text !== undefined) return within(text, least, most);
  }
  const format = textOfFormat.get(schema.format ?? null);
  if (format) return within(format(variant), least, most);
  return `echo${variant || ""}`.slice(0, most).padEnd(least, "o");
}

interface PatternWish extends Pick<Search, "left"> {
  readonly least: number;
  readonly variant: number;
}

/** A short text, longer if it must be. The pattern is never matched: matching it could take years. */
function textOfPattern(source: string, { least, ...wish }: PatternWish): string | undefined {
  const pattern = source.replaceAll(
    properties,
    (_, letter, upper) => letter ? "a" : upper ? "A" : "1",
  );
  if (pattern.length > patternCharsMax || unsupported.test(pattern)) return undefined;
  try {
    const text = generated(pattern, 0, wish);
    if (text.length >= least) return text;
    const longer = generated(pattern, least - text.length, wish);
    return pattern.endsWith("$") ? longer : longer.padEnd(least, "x");
  } catch {
    return undefined; // randexp throws errors of several types for invalid patterns
  }
}

/** Randexp with a counter instead of chance. It chooses a repetition, or an index in a set. */
function generated(
  pattern: string,
  missing: number,
  { left, variant }: Omit<PatternWish, "least">,
): string {
  const Randexp: typeof import("randexp").default = createRequire(import.meta.url)("randexp");
  const generator = new Randexp(pattern);
  generator.max = lengthMax;
  generator.randInt = (least, most) => {
    const repeats = least > 0 || most >= lengthMax;
    const added = repeats ? Math.min(missing, most - least) : 0;
    missing -= added;
    const chosen = Math.min(least + variant + added, most);
    left.steps -= (1 + chosen) * (1 + pattern.length / 16);
    if (left.steps < 0) throw new RangeError("the pattern demands too long a text");
    return chosen;
  };
  const text = generator.gen();
  if (text.length > lengthMax) throw new RangeError("the pattern demands too long a text");
  return text;
}

function within(text: string, least: number, most: number): string | undefined {
  const { length } = [...text];
  return length >= least && length <= most ? text : undefined;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
