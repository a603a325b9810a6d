/**
 * Reads a list of texts: a list, JSON of one (`["a"]`), an array of PostgreSQL (`{a,"b c"}`), or
 * texts between separators. Undefined if it is none of them.
 */
export function readList(
  value: unknown,
  separator?: string | RegExp,
): readonly string[] | undefined {
  if (Array.isArray(value)) return texts(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (separator !== undefined) return trimmed(text.split(separator));
  if (text.startsWith("[")) return parsedList(text);
  if (text.startsWith("{") && text.endsWith("}")) return arrayItems(text.slice(1, -1));
  return undefined;
}

function texts(values: readonly unknown[]): readonly string[] | undefined {
  const found = values.filter((one) => typeof one === "string" || typeof one === "number");
  return found.length === values.length ? trimmed(found.map(String)) : undefined;
}

function parsedList(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? texts(value) : undefined;
  } catch {
    return undefined;
  }
}

/** The items between the braces of a PostgreSQL array, where quoted items escape with `\`. */
function arrayItems(inner: string): readonly string[] {
  const items = inner.matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs);
  return trimmed(
    Array.from(items, ([, quoted, bare]) => quoted?.replace(/\\(.)/gs, "$1") ?? bare),
  );
}

function trimmed(values: readonly string[]): readonly string[] {
  return [...new Set(values.map((one) => one.trim()).filter((one) => one !== ""))];
}
