import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../../json/mod.ts";

/** Two schemas joined into one, with their conflicts. */
interface MergedSchema {
  readonly schema: JsonObject;
  /** Keywords of `extra` that conflict with those of `base`. */
  readonly conflicts: readonly [keyword: string, value: JsonValue][];
}

/** Joins two values of one keyword; undefined if they conflict. */
type Join = (base: JsonValue, extra: JsonValue) => JsonValue | undefined;

/** A schema that accepts only values that both accept, like `allOf`. In a conflict `base` wins. */
export function mergeSchemas(base: JsonObject, extra: JsonObject): MergedSchema {
  const merged = new Map<string, JsonValue>(entriesOf(base));
  const conflicts: [string, JsonValue][] = [];
  for (const [keyword, value] of entriesOf(extra)) {
    const present = merged.get(keyword);
    const joined = present === undefined ? value : join(keyword, present, value);
    if (joined === undefined) conflicts.push([keyword, value]);
    else merged.set(keyword, joined);
  }
  return { schema: Object.fromEntries(merged), conflicts };
}

/** The entries of an object, without undefined ones. */
export function entriesOf(object: JsonObject): [string, JsonValue][] {
  const entries: [string, JsonValue][] = [];
  for (const key in object) {
    const value = object[key];
    if (value !== undefined) entries.push([key, value]);
  }
  return entries;
}

function join(keyword: string, base: JsonValue, extra: JsonValue): JsonValue | undefined {
  if (sameJson(base, extra)) return base;
  return joins.get(keyword)?.(base, extra);
}

const joins: ReadonlyMap<string, Join> = new Map<string, Join>([
  ...["properties", "patternProperties", "$defs", "definitions"].map(joinWith(joinNames)),
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]
    .map(joinWith(joinNumbers(Math.max))),
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]
    .map(joinWith(joinNumbers(Math.min))),
  ...["items", "additionalProperties", "propertyNames", "additionalItems"]
    .map(joinWith(joinSubSchemas)),
  ...["title", "default", "example", "examples", "$comment", "$id", "$schema", "$anchor"]
    .map(joinWith((base) => base)),
  ...["uniqueItems", "nullable", "deprecated", "readOnly", "writeOnly"]
    .map(joinWith((base, extra) => base === true || extra === true)),
  ["description", (base, extra) => `${base}\n${extra}`],
  ["required", (base, extra) => [...new Set([...listOf(base), ...listOf(extra)])]],
  ["enum", (base, extra) => someOf(listOf(base).filter(isIn(listOf(extra))))],
  ["type", joinTypes],
  ["multipleOf", joinMultiples],
]);

function joinWith(join: Join): (keyword: string) => [string, Join] {
  return (keyword) => [keyword, join];
}

function joinNames(base: JsonValue, extra: JsonValue): JsonValue | undefined {
  if (!isJsonObject(base) || !isJsonObject(extra)) return undefined;
  const names = new Map(entriesOf(base));
  for (const [name, schema] of entriesOf(extra)) {
    const present = names.get(name);
    names.set(name, present === undefined ? schema : joinSubSchemas(present, schema));
  }
  return Object.fromEntries(names);
}

function joinSubSchemas(base: JsonValue, extra: JsonValue): JsonValue {
  if (base === true || sameJson(base, extra)) return extra;
  if (extra === true) return base;
  return base === false || extra === false ? false : { allOf: [base, extra] };
}

function joinNumbers(pick: (a: number, b: number) => number): Join {
  return (base, extra) =>
    typeof base === "number" && typeof extra === "number" ? pick(base, extra) : undefined;
}

/** An `integer` is a `number`, so both together are an `integer`. */
function joinTypes(base: JsonValue, extra: JsonValue): JsonValue | undefined {
  const [bases, extras] = [listOf(base), listOf(extra)];
  const shared = [
    ...bases.filter((type) =>
      extras.includes(type) || type === "integer" && extras.includes("number")
    ),
    ...extras.filter((type) => type === "integer" && bases.includes("number")),
  ];
  const types = [...new Set(shared)];
  return types.length === 1 ? types[0] : someOf(types);
}

function joinMultiples(base: JsonValue, extra: JsonValue): JsonValue | undefined {
  if (typeof base !== "number" || typeof extra !== "number") return undefined;
  const [small, large] = [Math.min(base, extra), Math.max(base, extra)];
  return small > 0 && Number.isInteger(large / small) ? large : undefined;
}

function listOf(value: JsonValue): JsonArray {
  return Array.isArray(value) ? value : [value];
}

function someOf(values: JsonArray): JsonArray | undefined {
  return values.length > 0 ? values : undefined;
}

function isIn(values: JsonArray): (value: JsonValue) => boolean {
  const texts = new Set(values.map((value) => JSON.stringify(value)));
  return (value) => texts.has(JSON.stringify(value));
}

function sameJson(a: JsonValue, b: JsonValue): boolean {
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  return JSON.stringify(a) === JSON.stringify(b);
}
