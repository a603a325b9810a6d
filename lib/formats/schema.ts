import { z } from "zod";
import { GatewayError, isJsonObject, type JsonObject } from "../canonical/mod.ts";

/**
 * Building blocks for the schemas of all formats. Unknown members pass; `null` counts as absent. A
 * schema that only checks is a plain object: a loose one also copies every unknown member.
 */

export const text = z.string("must be a string");
export const filled = text.min(1, "must not be empty");
export const flag = z.boolean("must be true or false").nullish();
export const number = z.number("must be a number").nullish();
export const texts = z.array(text, "must be an array of strings");
/** Its own check, because the library's schemas of objects read and copy every member. */
export const object = z.custom<Readonly<Record<string, unknown>>>(
  isJsonObject,
  "must be an object",
).meta({ type: "object" });
export const objects = z.array(object, "must be an array of objects");
export const textMap = z.record(z.string(), text, "must be an object of strings");
export const textOrParts = z.union(
  [z.string(), z.array(z.unknown())],
  "must be a string or an array of parts",
);

/** Schemas by the value's `type`; a type without a schema passes. */
export type SchemasByType = Readonly<Record<string, z.ZodType>>;

/** Throws `invalid_request` that names the first wrong field; `path` is the value's own path. */
export function assertShape(schema: z.ZodType, value: unknown, path: string): void {
  readShape(schema, value, path);
}

/** The value as its schema parses it. Throws as `assertShape` does. */
export function readShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path = "",
): z.infer<Schema> {
  const parsed = schema.safeParse(value, { error: ownWords });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refused(pathText(path, issue.path), issue.message);
}

/** The message if a schema has none of its own: the library's would name types that no caller knows. */
function ownWords({ input }: { readonly input?: unknown }): string {
  return input === undefined
    ? "is missing"
    : "does not have the structure that this format requires";
}

/**
 * Tests of the members that most requests of a format have. They accept nothing that the schema
 * refuses.
 */
export type UsualMembers = ReadonlyMap<string, (value: unknown) => boolean>;

/** Returns true for a body that needs no schema, which would read every member that it could have. */
export function isUsual(
  body: unknown,
  members: UsualMembers,
  required: readonly string[],
): boolean {
  if (!isJsonObject(body)) return false;
  for (const name in body) if (!members.get(name)?.(body[name])) return false;
  return required.every((name) => body[name] !== undefined);
}

export function areObjects(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject);
}

export function assertOneOf(schemas: SchemasByType, value: JsonObject, path: string): void {
  const { type } = value;
  if (typeof type === "string" && Object.hasOwn(schemas, type)) {
    assertShape(schemas[type], value, path);
  }
}

/** The error for an invalid request; `param` is empty for the body as a whole. */
export function refused(param: string, problem: string): GatewayError {
  const place = param === "" ? "the body" : param;
  return new GatewayError("invalid_request", `Cannot decode request: ${place} ${problem}`, {
    ...(param !== "" && { param }),
  });
}

/** The JSON Schema of a request, created on first use. */
export function lazyJsonSchema(schema: z.ZodType): () => JsonObject {
  let made: JsonObject | undefined;
  return () => made ??= requestSchemaOf(schema);
}

/** A schema of requests as JSON Schema. */
export function requestSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  });
  return JSON.parse(JSON.stringify(described));
}

/** Maximum characters of a name in a path: the caller chooses some names and their length. */
const nameCharsMax = 100;
const pathCharsMax = 200;

/** The path in the caller's notation, such as `messages[3].content`. */
function pathText(base: string, path: readonly PropertyKey[]): string {
  const full = path.reduce<string>(
    (at, key) =>
      typeof key === "number" ? `${at}[${key}]` : `${at}.${String(key).slice(0, nameCharsMax)}`,
    base,
  );
  return full.replace(/^\./, "").slice(0, pathCharsMax);
}
