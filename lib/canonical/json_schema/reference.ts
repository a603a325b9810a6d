import { isJsonObject, type JsonObject, type JsonValue } from "../../json/mod.ts";

/**
 * The target of a local `$ref`: `#`, or a JSON pointer such as `#/$defs/Node` (RFC 6901). Undefined
 * for other references and missing targets.
 */
export function resolveReference(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let value: JsonValue | undefined = root;
  for (const token of reference.slice(2).split("/").map(decodeToken)) {
    value = memberOf(value, token);
    if (value === undefined) return undefined;
  }
  return value;
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
}
