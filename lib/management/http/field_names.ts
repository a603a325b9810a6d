import type { z } from "zod";
import { editDistance, isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import { jsonSchemaOf } from "./schema.ts";

/** The most fields that an error lists. */
const listedMax = 30;
const typingErrorsMax = 2;

/**
 * The sentence about a field that a schema does not have: the one that was probably meant, and all
 * that there are. `path` leads to the object, `name` is the wrong field.
 */
export function knownFields(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  name: string,
): string {
  const known = fieldsAt(jsonSchemaOf(schema, "input"), path);
  if (known.length === 0) return "It takes no fields";
  const near = known.map((one) => ({ one, distance: editDistance(one, name) }))
    .filter(({ distance }) => distance <= typingErrorsMax)
    .sort((a, b) => a.distance - b.distance)[0];
  const list = known.slice(0, listedMax).join(", ");
  return `${near ? `Did you mean ${near.one}? ` : ""}The fields are ${list}`;
}

function fieldsAt(schema: JsonObject, path: readonly PropertyKey[]): string[] {
  const { properties, items, additionalProperties } = objectOf(schema);
  if (path.length === 0) {
    return isJsonObject(properties) ? Object.keys(properties) : [];
  }
  const [part, ...rest] = path;
  const own = isJsonObject(properties) ? properties[String(part)] : undefined;
  const inner = typeof part === "number" ? items : own ?? additionalProperties;
  return isJsonObject(inner) ? fieldsAt(inner, rest) : [];
}

/** The object or the list of a value that may be something else, too, such as null. */
function objectOf(schema: JsonObject): JsonObject {
  const options = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isJsonObject) : [];
  return options.find(({ properties, items }) => properties ?? items) ?? schema;
}
