import type { z } from "zod";
import type { Member, Shape } from "./shape.ts";

/** Where a schema is, and what the shapes of its members are if not those of their own schemas. */
export interface SchemaPlace {
  /** The name of the schema around it, such as `chat tool custom`. */
  readonly name: string;
  /** The names of the members that lead to it, such as `custom.format`. */
  readonly path: string;
  /** More exact shapes than the schema's, by path. */
  readonly exact: Readonly<Record<string, Shape>>;
  /** Collects the shapes of objects by their name. */
  readonly named: Record<string, Shape>;
}

/** The structure of the values that a zod schema takes. Throws for a kind of schema without a rule. */
export function shapeOf(schema: z.core.$ZodType, place: SchemaPlace): Shape {
  const { def } = (schema as z.core.$ZodTypes)._zod; // sound: every schema of zod is one of these
  switch (def.type) {
    case "string":
    case "number":
      return def.type;
    case "boolean":
      return { is: [true, false] };
    case "literal":
      return { is: def.values.filter((value) => typeof value === "string") };
    case "enum":
      return { is: Object.values(def.entries) };
    case "array":
      return { list: shapeOf(def.element, place) };
    case "record":
      return { map: shapeOf(def.valueType, place) };
    case "union":
      return { oneOf: def.options.map((option) => shapeOf(option, place)) };
    case "object":
      return objectOf(def.shape, place);
    case "optional":
    case "nullable":
      return shapeOf(def.innerType, place);
    case "lazy":
      return shapeOf(def.getter(), place);
    case "pipe":
      return shapeOf(def.out, place);
    case "custom":
    case "unknown":
      return "any";
    default:
      throw new Error(`${place.name}: no shape for a schema of type ${def.type}`);
  }
}

function objectOf(members: Readonly<Record<string, z.core.$ZodType>>, place: SchemaPlace): Shape {
  const name = place.path === "" ? place.name : `${place.name}, ${place.path}`;
  place.named[name] = {
    members: Object.fromEntries(
      Object.entries(members).map(([member, schema]) => [member, memberOf(schema, member, place)]),
    ),
  };
  return { ref: name };
}

function memberOf(schema: z.core.$ZodType, member: string, place: SchemaPlace): Member {
  const path = place.path === "" ? member : `${place.path}.${member}`;
  return {
    shape: place.exact[path] ?? shapeOf(schema, { ...place, path }),
    ...(schema._zod.optin === "optional" && { optional: true }),
  };
}
