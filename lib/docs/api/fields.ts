import type { Schema } from "./description.ts";

/** A field of a body or a parameter, as the reference shows it. */
export interface ReferenceField {
  readonly name: string;
  /** Such as `array of string` or `integer or null`. */
  readonly type: string;
  readonly isRequired: boolean;
  /** Markdown. */
  readonly text: string;
  /** The only values allowed, as JSON; empty: any. */
  readonly values: readonly string[];
  /** Such as `at most 100 items`. */
  readonly bounds: readonly string[];
  readonly fields: readonly ReferenceField[];
}

/** The fields of an object, or of the objects in a list; empty for any other value. */
export function referenceFields(schema: Schema): ReferenceField[] {
  const objects = objectsIn(schema);
  const entries = objects.flatMap(({ properties = {} }) => Object.entries(properties));
  return [...Map.groupBy(entries, ([name]) => name)].map(([name, all]) => {
    const anyOf = all.map(([, field]) => field);
    return fieldOf({
      name,
      required: objects.every(({ required = [] }) => required.includes(name)),
      schema: { anyOf },
    });
  });
}

/** A field or a parameter. */
export function fieldOf(
  { name, required = false, description, schema }: {
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  },
): ReferenceField {
  const cases = casesOf(schema);
  return {
    name,
    type: typeOf(schema),
    isRequired: required,
    text: description ?? describedIn(schema) ?? "",
    values: [...new Set(cases.flatMap(valuesOf))],
    bounds: [...new Set(cases.flatMap(boundsOf))],
    fields: referenceFields(schema),
  };
}

/** The alternatives of a schema, without unions inside of unions. */
export function casesOf(schema: Schema): Schema[] {
  const { anyOf, oneOf = anyOf, ...rest } = schema;
  return oneOf ? oneOf.flatMap(casesOf).map((one) => ({ ...rest, ...one })) : [schema];
}

function describedIn({ description, anyOf = [] }: Schema): string | undefined {
  return description ?? anyOf.map(describedIn).find((text) => text !== undefined);
}

/** The objects that a value may be, holds as items, or holds under free names. */
function objectsIn(schema: Schema): Schema[] {
  return casesOf(schema).flatMap((one) => {
    const inner = innerOf(one);
    return one.properties ? [one] : inner ? objectsIn(inner) : [];
  });
}

function innerOf({ items, additionalProperties }: Schema): Schema | undefined {
  return items ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
}

function typeOf(schema: Schema): string {
  return [...new Set(casesOf(schema).flatMap(typesOf))].join(" or ");
}

function typesOf(schema: Schema): string[] {
  const { type, format, properties } = schema;
  const inner = innerOf(schema);
  return [type ?? typesOfValues(schema)].flat().map((name) => {
    if (inner && name === "array") return `array of ${typeOf(inner)}`;
    if (inner && name === "object" && !properties) return `map of ${typeOf(inner)}`;
    return format ? `${name} (${format})` : name;
  });
}

/** The types of the values of a schema without `type`. */
function typesOfValues({ enum: values = [], const: only = values[0] }: Schema): string[] {
  if (only === undefined) return ["any"];
  return [only, ...values].map((value) => value === null ? "null" : typeof value);
}

function valuesOf({ enum: values = [], const: only }: Schema): string[] {
  return [...values, only].filter((value) => value !== undefined && value !== null)
    .map((value) => JSON.stringify(value));
}

/** Larger bounds are only those of numbers in JSON. */
const boundShownMax = 1e9;

function boundsOf({ minimum, maximum, maxLength, maxItems, default: preset }: Schema): string[] {
  const isShown = (bound?: number) => bound !== undefined && Math.abs(bound) < boundShownMax;
  return [
    ...(isShown(minimum) ? [`at least ${minimum}`] : []),
    ...(isShown(maximum) ? [`at most ${maximum}`] : []),
    ...(isShown(maxLength) ? [`at most ${maxLength} characters`] : []),
    ...(isShown(maxItems) ? [`at most ${maxItems} items`] : []),
    ...(preset !== undefined ? [`default: \`${JSON.stringify(preset)}\``] : []),
  ];
}
