import {
  isJsonObject,
  isWalkableSchema,
  type JsonObject,
  type JsonValue,
  mergeSchemas,
  resolveReference,
} from "../../canonical/mod.ts";

/** The most schemas to visit for one value, and their deepest nesting. */
const stepsMax = 20_000;
const depthMax = 40;
/** The depth to which optional properties and items are filled in. */
const fillDepthMax = 6;
/** Longer texts and lists are not made. */
const lengthMax = 1_000;

/**
 * A deterministic value that the schema accepts: required and optional properties, the first
 * fitting member of a union, texts, numbers and lists within their limits. Knows no patterns.
 * Bounded; an empty object if no value is found.
 */
export function instanceOf(schema: JsonObject): JsonValue {
  if (!isWalkableSchema(schema)) return {};
  return new Instance(schema).of(schema, 0) ?? {};
}

class Instance {
  readonly #root: JsonObject;
  #stepsLeft = stepsMax;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** Undefined if no value was found. */
  of(schema: JsonValue, depth: number): JsonValue | undefined {
    if (schema === false || --this.#stepsLeft < 0 || depth > depthMax) return undefined;
    if (!isJsonObject(schema)) return "echo";
    const { $ref, allOf, anyOf, oneOf, ...own } = schema;
    if (typeof $ref === "string") {
      return this.of(conjunction(own, resolveReference(this.#root, $ref)), depth + 1);
    }
    if (Array.isArray(allOf)) {
      const whole: JsonObject = { ...own, ...(anyOf && { anyOf }), ...(oneOf && { oneOf }) };
      return this.of(allOf.reduce(conjunction, whole), depth + 1);
    }
    const union = [anyOf, oneOf].find(Array.isArray);
    return union
      ? this.#first(union.map((member) => conjunction(own, member)), depth)
      : this.#plain(own, depth);
  }

  #first(schemas: readonly JsonValue[], depth: number): JsonValue | undefined {
    for (const schema of schemas) {
      const value = this.of(schema, depth + 1);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #plain(schema: JsonObject, depth: number): JsonValue | undefined {
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return schema.enum[0];
    switch (typeOf(schema)) {
      case "object":
        return this.#object(schema, depth);
      case "array":
        return this.#array(schema, depth);
      case "number":
      case "integer":
        return numberOf(schema);
      case "boolean":
        return true;
      case "null":
        return null;
      default:
        return textOf(schema);
    }
  }

  #object(schema: JsonObject, depth: number): JsonValue | undefined {
    const properties = isJsonObject(schema.properties) ? schema.properties : {};
    const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
    const members: [string, JsonValue][] = [];
    for (const name of new Set([...required, ...Object.keys(properties)])) {
      if (!required.has(name) && depth >= fillDepthMax) continue;
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const value = this.of(own ?? true, depth + 1);
      if (value !== undefined) members.push([name, value]);
      else if (required.has(name)) return undefined;
    }
    return Object.fromEntries(members);
  }

  #array({ items = true, minItems, maxItems }: JsonObject, depth: number): JsonValue | undefined {
    const needed = numberIn(minItems, 0);
    const wanted = Math.max(needed, Math.min(depth < fillDepthMax ? 1 : 0, numberIn(maxItems, 1)));
    if (wanted > lengthMax) return undefined;
    if (wanted === 0) return [];
    const value = this.of(items, depth + 1);
    if (value !== undefined) return Array.from({ length: wanted }, () => value);
    return needed > 0 ? undefined : [];
  }
}

/** The conjunction of both; a contradiction keeps the first one's keyword. */
function conjunction(schema: JsonValue, member: JsonValue | undefined): JsonValue {
  if (schema === false || member === false) return false;
  if (!isJsonObject(schema)) return member ?? schema;
  return isJsonObject(member) ? mergeSchemas(schema, member).schema : schema;
}

/** The type, or the first of several that is not null; without `type`, the one that keywords imply. */
function typeOf({ type, properties, items, minimum, maximum }: JsonObject): JsonValue | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== "null") ?? "null";
  if (type !== undefined) return type;
  if (properties !== undefined) return "object";
  if (items !== undefined) return "array";
  return minimum !== undefined || maximum !== undefined ? "number" : undefined;
}

/** Undefined if no multiple is within the limits. */
function numberOf(schema: JsonObject): number | undefined {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = numberIn(multipleOf, type === "integer" ? 1 : 0);
  const low = Math.max(numberIn(minimum, -Infinity), numberIn(exclusiveMinimum, -Infinity));
  const high = Math.min(numberIn(maximum, Infinity), numberIn(exclusiveMaximum, Infinity));
  if (step > 0) {
    const value = multipleWithin(step, { low, high, isOpen: low === exclusiveMinimum });
    return value > high || value === exclusiveMaximum ? undefined : value;
  }
  if (low === -Infinity) return Math.min(1, high - (high === exclusiveMaximum ? 1 : 0));
  return high === Infinity ? low + 1 : (low + high) / 2;
}

function multipleWithin(
  step: number,
  { low, high, isOpen }: { readonly low: number; readonly high: number; readonly isOpen: boolean },
): number {
  if (low === -Infinity) return Math.floor(Math.min(step, high) / step) * step;
  return (isOpen ? Math.floor(low / step) + 1 : Math.ceil(low / step)) * step;
}

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  time: "00:00:00Z",
  email: "echo@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

function textOf({ format, minLength, maxLength }: JsonObject): string | undefined {
  const known = typeof format === "string" ? formats[format] : undefined;
  if (known !== undefined) return known;
  const least = numberIn(minLength, 0);
  if (least > lengthMax) return undefined;
  return "echo".slice(0, numberIn(maxLength, lengthMax)).padEnd(least, "o");
}

function numberIn(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
