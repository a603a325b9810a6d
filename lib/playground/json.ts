/** JSON as it comes over the wire: nothing is known of it but what is looked at. */
export type JsonObject = { readonly [name: string]: unknown };

/** The object, or an empty one where it is something else. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The list's objects; none where it is something else. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text, or an empty one where it is something else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Undefined where the text is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON on several lines; what is none stays as it is. */
export function prettyJson(text: string): string {
  const value = readJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
