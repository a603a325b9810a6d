import { z } from "zod";
import type { JsonObject } from "../../canonical/mod.ts";

/** The schemas that the API's description lists under a name of their own. */
const components = z.registry<{ id: string }>();

/** Gives a schema a name in the API's description, such as `Key`. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  components.add(schema, { id });
  return schema;
}

/** The name of a schema; undefined if it has none. */
export function schemaName(schema: z.ZodType): string | undefined {
  return components.get(schema)?.id;
}

/** Every named schema of answers, as JSON Schema. */
export function namedSchemas(): JsonObject {
  const { schemas } = z.toJSONSchema(components, {
    io: "output",
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: "any",
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, plain(schema)]),
  );
}

/** A schema as JSON Schema: a reference if it has a name. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const name = schemaName(schema);
  if (name !== undefined && io === "output") return { $ref: `#/components/schemas/${name}` };
  return plain(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
}

/** Without the members that a part of a description does not have. */
function plain({ $schema: _schema, $id: _id, id: _name, ...schema }: Record<string, unknown>) {
  return JSON.parse(JSON.stringify(schema)) as JsonObject; // zod returns plain data
}
