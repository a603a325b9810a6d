import { Buffer } from "node:buffer";

/**
 * The encoding of keys in the files of Deno KV: one tag byte for each part, then the part in a form
 * whose bytes sort like the parts themselves
 * (https://github.com/denoland/denokv/blob/main/proto/codec.rs).
 */
const tags = {
  bytes: 0x01,
  text: 0x02,
  zero: 0x14,
  double: 0x21,
  false: 0x26,
  true: 0x27,
} as const;
/** Integers of up to eight bytes have the tag of zero, plus or minus their length. */
const shortBytesMax = 8;
const [longNegative, longPositive] = [
  tags.zero - shortBytesMax - 1,
  tags.zero + shortBytesMax + 1,
];

/** Encodes a key of texts. */
export function encodeTextKey(key: readonly string[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const part of key) {
    bytes.push(tags.text);
    for (const byte of new TextEncoder().encode(part)) {
      bytes.push(...byte === 0 ? [0, 0xff] : [byte]);
    }
    bytes.push(0);
  }
  return Uint8Array.from(bytes);
}

/** Compares keys in the order of Deno KV, as a function for `sort`. */
export function compareKeys(a: Deno.KvKey, b: Deno.KvKey): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = compareParts(a[at], b[at]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** The types of parts in their order; bytes are objects. */
const types = ["object", "string", "bigint", "number", "boolean"];

function compareParts(a: Deno.KvKeyPart, b: Deno.KvKeyPart): number {
  if (typeof a !== typeof b) return types.indexOf(typeof a) - types.indexOf(typeof b);
  const [first, second] = [sortable(a), sortable(b)];
  if (first instanceof Uint8Array && second instanceof Uint8Array) {
    return Buffer.compare(first, second);
  }
  return first === second ? 0 : first < second ? -1 : 1;
}

/** Texts sort as their UTF-8 does, and numbers as their bits, with negative ones flipped. */
function sortable(part: Deno.KvKeyPart): Uint8Array | bigint | boolean {
  if (typeof part === "string") return new TextEncoder().encode(part);
  if (typeof part === "symbol") throw new TypeError("No stored key has a symbol");
  if (typeof part !== "number") return part;
  const bits = new BigInt64Array(Float64Array.of(part).buffer)[0];
  return bits < 0n ? -(bits & (2n ** 63n - 1n)) - 1n : bits;
}

/** A part of a key, and the position behind it. */
interface Part {
  readonly part: Deno.KvKeyPart;
  readonly end: number;
}

/** Decodes a key. Throws a `TypeError` for bytes that are none. */
export function decodeKey(bytes: Uint8Array): Deno.KvKeyPart[] {
  const parts: Deno.KvKeyPart[] = [];
  for (let at = 0; at < bytes.length;) {
    const { part, end } = partAt(bytes, at);
    parts.push(part);
    at = end;
  }
  return parts;
}

function partAt(bytes: Uint8Array, at: number): Part {
  const tag = bytes[at];
  switch (tag) {
    case tags.bytes:
      return bytesAt(bytes, at + 1);
    case tags.text: {
      const { part, end } = bytesAt(bytes, at + 1);
      return { part: decoder.decode(part), end };
    }
    case tags.double:
      return { part: doubleAt(bytes, at + 1), end: at + 9 };
    case tags.false:
    case tags.true:
      return { part: tag === tags.true, end: at + 1 };
    default:
      return integerAt(bytes, at, tag);
  }
}

/** Without `ignoreBOM`, it would strip a byte order mark, and two keys would become one. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** A zero byte ends the part; one that belongs to it is followed by 0xff. */
function bytesAt(bytes: Uint8Array, start: number) {
  const found: number[] = [];
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] !== 0) found.push(bytes[at]);
    else if (bytes[at + 1] !== 0xff) return { part: Uint8Array.from(found), end: at + 1 };
    else {
      found.push(0);
      at++;
    }
  }
  throw new TypeError("The key ends within a part");
}

/** The sign bit is flipped, and of a negative number all other bits too. */
function doubleAt(bytes: Uint8Array, at: number): number {
  const view = new DataView(bytes.slice(at, at + 8).buffer);
  const bits = view.getBigUint64(0);
  const sign = 1n << 63n;
  view.setBigUint64(0, (bits & sign) === 0n ? ~bits & (2n ** 64n - 1n) : bits ^ sign);
  return view.getFloat64(0);
}

function integerAt(bytes: Uint8Array, at: number, tag: number): Part {
  if (tag < longNegative || tag > longPositive) throw new TypeError(`The key has a tag ${tag}`);
  const isNegative = tag < tags.zero;
  const isLong = tag === longNegative || tag === longPositive;
  const start = isLong ? at + 2 : at + 1;
  const length = isLong
    ? isNegative ? bytes[at + 1] ^ 0xff : bytes[at + 1]
    : Math.abs(tag - tags.zero);
  let integer = 0n;
  for (const byte of bytes.subarray(start, start + length)) {
    integer = integer << 8n | BigInt(isNegative ? byte ^ 0xff : byte);
  }
  return { part: isNegative ? -integer : integer, end: start + length };
}
