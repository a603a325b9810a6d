/** JSON data, as in a wire body before decoding. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;
/** A JSON array. */
export type JsonArray = readonly JsonValue[];
/** A JSON object. Keys may be absent; `undefined` is never a value on the wire. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** Returns true for a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a member like `JSON.parse`, which treats `__proto__` as an ordinary name. */
export function setMember(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== "__proto__") object[name] = value;
  else {
    const own = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(object, name, own);
  }
}
