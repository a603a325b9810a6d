import { z } from "zod";
import { type JsonObject, usdText } from "../../canonical/mod.ts";
import { readUsd } from "../../funds/mod.ts";

/** The schemas that the API's description lists under a name of their own. */
const components = z.registry<{ id: string }>();

/** Gives a schema a name in the API's description, such as `Key`. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  components.add(schema, { id });
  return schema;
}

/** A schema of an object, with a name. */
export function namedObject<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return named(id, z.object(shape));
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

/** Money in an answer: US dollars as an exact decimal, such as `5.00`. */
export const moneyAnswer = z.string().describe("US dollars, exact").meta({ examples: ["5.00"] });

const moneyPattern = /^[0-9]{1,7}([.][0-9]{1,9})?$/;

/** Money in a request; read as nano-dollars. */
export const moneyInput = z.string().max(40).transform((text, context) => {
  const nanoUsd = moneyPattern.test(text) ? readUsd(text) : undefined;
  if (nanoUsd !== undefined) return nanoUsd;
  context.addIssue({ code: "custom", message: "must be US dollars, such as 5.00" });
  return z.NEVER;
}).describe("US dollars, exact, such as `5.00`").meta({ pattern: moneyPattern.source });

/** Nano-dollars as money of an answer. */
export function moneyText(nanoUsd: bigint): string {
  const [whole, fraction = ""] = usdText(nanoUsd).replace("$", "").split(".");
  return `${whole}.${fraction.padEnd(2, "0")}`;
}

/** An e-mail address in a request; `readEmail` decides whether it is one. */
export const emailInput = z.string().max(300).meta({ format: "email" });

/** The most characters of an ID: a key of the store takes 2,048 bytes, a character up to 3. */
export const objectIdCharsMax = 500;

/** The ID of another object in a request; whether there is one is decided by its reader. */
export const idInput = z.string().min(1).max(objectIdCharsMax);

/** A time in an answer. */
export const timeAnswer = z.string().describe("ISO 8601, UTC").meta({ format: "date-time" });

/** The last time whose year has four digits, in milliseconds since 1970. */
export const timeMsMax = Date.UTC(10_000, 0) - 1;

/** A time in a request; read as milliseconds since 1970. */
export const timeInput = z.iso.datetime({ offset: true, error: "must be a time in ISO 8601" })
  .transform((text) => Date.parse(text))
  .refine((atMs) => atMs >= 0 && atMs <= timeMsMax, "must be a time from 1970 to 9999, in UTC");

/** Milliseconds since 1970 as a time of an answer. */
export function timeText(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** The same for a time that may be absent. */
export function optionalTime(atMs: number | undefined): string | null {
  return atMs === undefined ? null : timeText(atMs);
}

/** A name of the code as the API writes it: `cacheWrite1h` as `cache_write_1h`. */
export function snake(name: string): string {
  return name.replace(/[A-Z]|(?<=[a-z])\d+/g, (part) => `_${part.toLowerCase()}`);
}
