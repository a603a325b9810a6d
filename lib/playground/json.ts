/** Parsed JSON of unknown shape: each access must check. */
export type ParsedObject = { readonly [name: string]: unknown };

/** The object, or an empty one for any other value. */
export function parsedObject(value: unknown): ParsedObject {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is ParsedObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; empty for any other value. */
export function parsedObjects(value: unknown): ParsedObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text, or an empty one for any other value. */
export function parsedText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns undefined for invalid JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Indents JSON; returns any other text unchanged. */
export function prettyJson(text: string): string {
  const value = parsedJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
