import { lenientText } from "../../bytes.ts";
import { StoreError } from "./error.ts";

/** The first byte of each value that `encodeValue` returns. It never occurs in UTF-8. */
const tag = 0xfe;
/** The second byte. A release with another encoding writes another version. */
const version = 1;
const headBytes = 2;
/** Separates the text from the pieces; JSON escapes every line feed. */
const lineFeed = 0x0a;
/** The first character of an escaped text. */
const tilde = 0x7e;
const none = new Uint8Array();

const encoder = new TextEncoder();

/**
 * Encodes a value in bytes that every version of Deno reads: two bytes of tag and version, then
 * JSON. As in Transit, a tilde starts the texts that JSON has no value for: `~n12` is a bigint,
 * `~d` a number such as `Infinity`, `~b3,5` the 5 bytes from position 3 of what follows the text,
 * and `~~` a text that starts with a tilde. Undefined members are left out. Throws a `TypeError`
 * for maps, sets, dates and the like, which no record has.
 */
export function encodeValue(value: unknown): Uint8Array<ArrayBuffer> {
  const pieces: Piece[] = [];
  const text = JSON.stringify(encodable(value, pieces));
  if (text === undefined) throw new TypeError(`Cannot store ${typeof value}`);
  const last = pieces.at(-1);
  return last === undefined ? bytesOfJson(text) : withPieces(text, pieces, endOf(last));
}

/** Returns true for bytes of `encodeValue`, in any version. */
export function isEncoded(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value[0] === tag;
}

/** Decodes bytes of `encodeValue`. Throws `unreadable` for another version, and for damaged bytes. */
export function decodeValue(bytes: Uint8Array): unknown {
  if (bytes[1] !== version) throw unreadable(`it has version ${bytes[1]} of the encoding`);
  const end = bytes.indexOf(lineFeed, headBytes);
  const text = lenientText(bytes.subarray(headBytes, end < 0 ? undefined : end));
  try {
    const value = JSON.parse(text);
    if (!text.includes('"~')) return value;
    return decoded(value, end < 0 ? none : bytes.subarray(end + 1));
  } catch (cause) {
    throw unreadable("it is damaged", cause);
  }
}

/** Bytes within a value, and their position behind its text. */
interface Piece {
  readonly start: number;
  readonly bytes: Uint8Array;
}

function endOf({ start, bytes }: Piece): number {
  return start + bytes.length;
}

/**
 * Returns the JSON within bytes of `encodeValue`, from which `bytesOfJson` makes the same bytes, also
 * after it was parsed and written again. Undefined if they hold more, or something else.
 */
export function encodedJson(bytes: Uint8Array): string | undefined {
  if (!isEncoded(bytes) || bytes[1] !== version || bytes.includes(lineFeed)) return undefined;
  const text = lenientText(bytes.subarray(headBytes));
  try {
    return JSON.stringify(JSON.parse(text)) === text ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the bytes of a value whose JSON is known. Most texts are ASCII, whose length in bytes is
 * known before they are encoded.
 */
export function bytesOfJson(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headBytes + text.length);
  bytes[0] = tag;
  bytes[1] = version;
  const { read } = encoder.encodeInto(text, bytes.subarray(headBytes));
  return read === text.length ? bytes : joined([Uint8Array.of(tag, version), encoder.encode(text)]);
}

function withPieces(
  text: string,
  pieces: readonly Piece[],
  pieceBytes: number,
): Uint8Array<ArrayBuffer> {
  const head = bytesOfJson(text);
  const bytes = new Uint8Array(head.length + 1 + pieceBytes);
  bytes.set(head);
  bytes[head.length] = lineFeed;
  for (const piece of pieces) bytes.set(piece.bytes, head.length + 1 + piece.start);
  return bytes;
}

function joined([head, rest]: readonly [Uint8Array, Uint8Array]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + rest.length);
  bytes.set(head);
  bytes.set(rest, head.length);
  return bytes;
}

/** Returns what JSON writes for a value, and adds its bytes to the pieces. */
function encodable(value: unknown, pieces: Piece[]): unknown {
  switch (typeof value) {
    case "string":
      return value.charCodeAt(0) === tilde ? `~${value}` : value;
    case "bigint":
      return `~n${value}`;
    case "number":
      return Number.isFinite(value) ? value : `~d${value}`;
    case "object":
      return value === null ? null : encodableObject(value, pieces);
    case "function":
    case "symbol":
      throw new TypeError(`Cannot store a ${typeof value}`);
    default:
      return value;
  }
}

function encodableObject(value: object, pieces: Piece[]): unknown {
  if (Array.isArray(value)) return value.map((item) => encodable(item, pieces));
  if (value instanceof Uint8Array) return encodableBytes(value, pieces);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`Cannot store a ${value.constructor.name}`);
  }
  const members: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    setMember(members, name, encodable((value as typeof members)[name], pieces));
  }
  return members;
}

function encodableBytes(bytes: Uint8Array, pieces: Piece[]): string {
  const last = pieces.at(-1);
  const start = last === undefined ? 0 : endOf(last);
  pieces.push({ start, bytes });
  return `~b${start},${bytes.length}`;
}

/** Restores the escaped texts of parsed JSON in place. */
function decoded(value: unknown, pieces: Uint8Array): unknown {
  if (typeof value === "string") {
    return value.charCodeAt(0) === tilde ? unescaped(value, pieces) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = value as Record<string, unknown>; // an array has members too
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member === "object") decoded(member, pieces);
    else if (typeof member === "string" && member.charCodeAt(0) === tilde) {
      setMember(members, name, unescaped(member, pieces));
    }
  }
  return value;
}

function unescaped(text: string, pieces: Uint8Array): unknown {
  const rest = text.slice(2);
  switch (text[1]) {
    case "~":
      return text.slice(1);
    case "n":
      return BigInt(rest);
    case "d":
      return Number(rest);
    case "b": {
      const [start, length] = rest.split(",").map(Number);
      return pieces.subarray(start, start + length);
    }
    default:
      throw new TypeError(`No such escape: ${text}`);
  }
}

/** An assignment to `__proto__` would change the prototype instead. */
function setMember(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") return void (members[name] = value);
  const descriptor = { value, enumerable: true, writable: true, configurable: true };
  Object.defineProperty(members, name, descriptor);
}

function unreadable(reason: string, cause?: unknown): StoreError {
  return new StoreError(
    "unreadable",
    `Cannot read a value of the store: ${reason}, this release reads version ${version}. Start the latest release that used this store`,
    { cause },
  );
}
