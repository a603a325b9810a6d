/** JSON as data: what a wire body is before a codec has read it. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
/** A JSON object. Keys may be absent; `undefined` is never a value on the wire. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
