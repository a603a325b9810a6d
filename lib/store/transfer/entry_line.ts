import { bytesOfJson, encodedJson } from "../kv/value.ts";

/** An entry as it moves between stores of any kind. */
export interface PortableEntry {
  readonly key: Deno.KvKey;
  /** A sum, or bytes: those of `encodeValue`, or of a format of their own. */
  readonly value: Uint8Array | Deno.KvU64;
  /** Absent for an entry that never expires. */
  readonly expiresAtMs?: number;
}

/**
 * One line of an export. Parts of a key are texts, booleans and numbers as JSON has them, or
 * objects. A value has one of three members: `json`, the JSON that the store holds; `base64`, its
 * bytes if they are not JSON; `sum`, a 64-bit sum in decimal text.
 */
interface Line {
  readonly key: readonly LinePart[];
  /** Milliseconds since 1970; absent for an entry that never expires. */
  readonly expires?: number;
  readonly json?: unknown;
  readonly base64?: string;
  readonly sum?: string;
}

type LinePart =
  | string
  | number
  | boolean
  | { readonly number: string }
  | { readonly bigint: string }
  | { readonly base64: string };

/** Writes an entry as a line of JSON, without its line feed. */
export function lineOf({ key, value, expiresAtMs }: PortableEntry): string {
  const expires = expiresAtMs === undefined ? "" : `,"expires":${expiresAtMs}`;
  return `{"key":${JSON.stringify(key.map(linePart))}${expires},${memberOf(value)}}`;
}

function memberOf(value: PortableEntry["value"]): string {
  if (value instanceof Deno.KvU64) return `"sum":"${value.value}"`;
  const json = encodedJson(value);
  return json === undefined ? `"base64":"${value.toBase64()}"` : `"json":${json}`;
}

/** Reads a line of `lineOf`. Throws a `SyntaxError`, `TypeError` or `RangeError` for any other line. */
export function entryOf(line: string): PortableEntry {
  const { key, expires, ...value }: Line = JSON.parse(line);
  if (!Array.isArray(key) || key.length === 0) throw new TypeError("The line has no key");
  if (expires !== undefined && !(Number.isSafeInteger(expires) && expires >= 0)) {
    throw new TypeError("The line has no time of expiry");
  }
  return {
    key: key.map(keyPart),
    value: valueIn(value),
    ...(expires !== undefined && { expiresAtMs: expires }),
  };
}

function valueIn({ json, base64, sum }: Omit<Line, "key" | "expires">): PortableEntry["value"] {
  if (sum !== undefined) return new Deno.KvU64(BigInt(sum));
  if (base64 !== undefined) return Uint8Array.fromBase64(base64);
  if (json === undefined) throw new TypeError("The line has no value");
  return bytesOfJson(JSON.stringify(json));
}

/** The numbers that JSON has not. */
const unlikeJson: ReadonlySet<string> = new Set(["-0", "NaN", "Infinity", "-Infinity"]);

function linePart(part: Deno.KvKeyPart): LinePart {
  if (typeof part === "bigint") return { bigint: `${part}` };
  if (part instanceof Uint8Array) return { base64: part.toBase64() };
  if (typeof part === "symbol") throw new TypeError("No stored key has a symbol");
  const isJson = typeof part !== "number" || (Number.isFinite(part) && !Object.is(part, -0));
  return isJson ? part : { number: Object.is(part, -0) ? "-0" : `${part}` };
}

function keyPart(part: LinePart): Deno.KvKeyPart {
  if (typeof part !== "object") return part;
  if ("bigint" in part) return BigInt(part.bigint);
  if (!("number" in part)) return Uint8Array.fromBase64(part.base64);
  if (!unlikeJson.has(part.number)) throw new TypeError("The key has an unknown number");
  return Number(part.number);
}
