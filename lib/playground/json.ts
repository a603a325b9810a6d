/** Parsed JSON of unknown shape: each access must check. */
export type JsonObject = { readonly [name: string]: unknown };

/** The object, or an empty one for any other value. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; empty for any other value. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text, or an empty one for any other value. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns undefined for invalid JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Indents JSON; returns any other text unchanged. */
export function prettyJson(text: string): string {
  const value = readJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
