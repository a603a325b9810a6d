import {
  isJsonObject,
  isWalkableSchema,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "../../canonical/mod.ts";
import { flattenings, isRecursive, type Search } from "./instance_flat.ts";
import { numberOf } from "./instance_number.ts";
import { stringOf } from "./instance_string.ts";

/** The most schemas to visit for one value, and their deepest nesting. */
const stepsMax = 20_000;
const depthMax = 40;
/** The depth to which optional properties and items are filled in. */
const fillDepthMax = 6;
const itemsMax = 1_000;

/**
 * A deterministic value that the schema accepts: required and optional properties, the first
 * fitting member of a union, texts and numbers within their limits. Bounded; an empty object
 * if no value is found.
 */
export function instanceOf(schema: JsonObject): JsonValue {
  if (!isWalkableSchema(schema)) return {};
  const search = { root: schema, left: { steps: stepsMax } };
  return generate(schema, search, { depth: 0, references: [], variant: 0 }) ?? {};
}

interface Place {
  readonly depth: number;
  /** The references on the path to this place, to limit recursion. */
  readonly references: readonly string[];
  /** Distinguishes items that must be unique. */
  readonly variant: number;
}

/** Undefined if no value was found. */
function generate(schema: JsonValue, search: Search, place: Place): JsonValue | undefined {
  if (schema === false || --search.left.steps < 0 || place.depth > depthMax) return undefined;
  const object = isJsonObject(schema) ? schema : {};
  for (const flat of flattenings(object, search, place.references)) {
    const value = valueOf(flat.schema, search, { ...place, references: flat.references });
    if (value !== undefined) return value;
  }
  return undefined;
}

function valueOf(schema: JsonObject, search: Search, place: Place): JsonValue | undefined {
  if (schema.const !== undefined) return schema.const;
  const types = typesOf(schema);
  if (Array.isArray(schema.enum)) return enumValue(schema.enum, schema.type, place);
  for (const type of types) {
    const value = valueOfType(type, schema, search, place);
    if (value !== undefined) return value;
  }
  return undefined;
}

function enumValue(values: JsonArray, type: JsonValue | undefined, { variant }: Place) {
  const fitting = values.filter((value) => type === undefined || isOfType(value, type));
  return fitting[variant % fitting.length];
}

function isOfType(value: JsonValue, type: JsonValue): boolean {
  const names: JsonArray = Array.isArray(type) ? type : [type];
  if (value === null) return names.includes("null");
  if (Array.isArray(value)) return names.includes("array");
  if (Number.isInteger(value) && names.includes("integer")) return true;
  return names.includes(typeof value);
}

/** The types to try, null last; without `type`, the one that the keywords imply. */
function typesOf(schema: JsonObject): readonly JsonValue[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) {
    return type.toSorted((a, b) => Number(a === "null") - Number(b === "null"));
  }
  return [impliedTypes.find(([keyword]) => schema[keyword] !== undefined)?.[1] ?? "string"];
}

const impliedTypes = [
  ["properties", "object"],
  ["required", "object"],
  ["minProperties", "object"],
  ["additionalProperties", "object"],
  ["items", "array"],
  ["prefixItems", "array"],
  ["minItems", "array"],
  ["contains", "array"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["exclusiveMinimum", "number"],
  ["exclusiveMaximum", "number"],
  ["multipleOf", "number"],
] as const;

function valueOfType(
  type: JsonValue,
  schema: JsonObject,
  search: Search,
  place: Place,
): JsonValue | undefined {
  switch (type) {
    case "object":
      return objectOf(schema, search, place);
    case "array":
      return arrayOf(schema, search, place);
    case "string":
      return stringOf(schema, search, place.variant);
    case "number":
    case "integer":
      return numberOf(schema, type === "integer", place.variant);
    case "boolean":
      return place.variant % 2 === 0;
    case "null":
      return null;
    default:
      return undefined;
  }
}

function objectOf(schema: JsonObject, search: Search, place: Place): JsonValue | undefined {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
  const room = numberIn(schema.maxProperties, Infinity) - required.size;
  const members = new Map<string, JsonValue>();
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const own = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
    const needed = required.has(name);
    if (!needed && (members.size >= room || isLeftOut(own ?? true, place))) continue;
    const value = generate(own ?? true, search, { ...place, depth: place.depth + 1 });
    if (value !== undefined) members.set(name, value);
    else if (needed) return undefined;
  }
  return enoughMembers(members, schema, search, place) ? Object.fromEntries(members) : undefined;
}

/** Adds members with invented names up to `minProperties`. */
function enoughMembers(
  members: Map<string, JsonValue>,
  schema: JsonObject,
  search: Search,
  place: Place,
): boolean {
  const needed = numberIn(schema.minProperties, 0);
  if (needed > itemsMax) return false;
  for (let count = 1; members.size < needed; count++) {
    const below = { ...place, depth: place.depth + 1 };
    const value = generate(schema.additionalProperties ?? true, search, below);
    if (value === undefined) return false;
    members.set(`property${count}`, value);
  }
  return true;
}

/** Returns true if an optional value is too deep or recursive. */
function isLeftOut(schema: JsonValue, { depth, references }: Place): boolean {
  return depth >= fillDepthMax || isRecursive(schema, references);
}

function arrayOf(schema: JsonObject, search: Search, place: Place): JsonValue | undefined {
  const { items, prefix } = itemsOf(schema);
  const { contains = true, uniqueItems } = schema;
  const needed = Math.max(numberIn(schema.minItems, 0), schema.contains === undefined ? 0 : 1);
  const filled = isLeftOut(items, place) ? 0 : Math.max(prefix.length, items === false ? 0 : 1);
  const wanted = Math.min(Math.max(needed, filled), numberIn(schema.maxItems, Infinity));
  if (wanted > itemsMax || needed > wanted) return undefined;
  const values: JsonValue[] = [];
  while (values.length < wanted) {
    const at = values.length;
    const own = prefix[at] ?? items;
    const below = {
      ...place,
      depth: place.depth + 1,
      ...(uniqueItems === true && { variant: at }),
    };
    const value = generate(at === prefix.length ? { allOf: [own, contains] } : own, search, below);
    if (value === undefined) return at >= needed ? values : undefined;
    values.push(value);
  }
  return values;
}

/** A tuple's members come first; before draft 2020-12 they were the list `items`. */
function itemsOf({ items = true, prefixItems, additionalItems = true }: JsonObject) {
  if (Array.isArray(items)) return { prefix: items, items: additionalItems };
  return { prefix: Array.isArray(prefixItems) ? prefixItems : [], items };
}

function numberIn(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
