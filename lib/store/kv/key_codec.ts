import { Buffer } from "node:buffer";

/**
 * Deno KV's own encoding of keys, in its files and in PostgreSQL: one tag byte for each part, then the part in a form
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
const encoder = new TextEncoder();
const [signBit, allBits] = [1n << 63n, 2n ** 64n - 1n];
/** Integers of up to eight bytes have the tag of zero, plus or minus their length. */
const shortBytesMax = 8;
const [longNegative, longPositive] = [
  tags.zero - shortBytesMax - 1,
  tags.zero + shortBytesMax + 1,
];

/** Encodes a key, so that the bytes sort as the keys do. Throws a `TypeError` for a part of another type. */
export function encodeKey(key: Deno.KvKey): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const part of key) addPart(bytes, part);
  return Uint8Array.from(bytes);
}

function addPart(bytes: number[], part: Deno.KvKeyPart): void {
  if (typeof part === "string") addBytes(bytes, tags.text, encoder.encode(part));
  else if (part instanceof Uint8Array) addBytes(bytes, tags.bytes, part);
  else if (typeof part === "boolean") bytes.push(part ? tags.true : tags.false);
  else if (typeof part === "number") addDouble(bytes, part);
  else if (typeof part === "bigint") addInteger(bytes, part);
  else throw new TypeError("A part of a key is a text, number, bigint, boolean or Uint8Array");
}

function addBytes(bytes: number[], tag: number, part: Uint8Array): void {
  bytes.push(tag);
  for (const byte of part) {
    bytes.push(byte);
    if (byte === 0) bytes.push(0xff);
  }
  bytes.push(0);
}

function addDouble(bytes: number[], part: number): void {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, part);
  const bits = view.getBigUint64(0);
  view.setBigUint64(0, (bits & signBit) === 0n ? bits ^ signBit : ~bits & allBits);
  bytes.push(tags.double, ...new Uint8Array(view.buffer));
}

function addInteger(bytes: number[], part: bigint): void {
  const [sign, flip] = part < 0n ? [-1, 0xff] : [1, 0];
  const digits = (part < 0n ? -part : part).toString(16);
  const magnitude = part === 0n
    ? new Uint8Array()
    : Uint8Array.fromHex(digits.length % 2 === 0 ? digits : `0${digits}`);
  const isLong = magnitude.length > shortBytesMax;
  bytes.push(tags.zero + sign * (isLong ? shortBytesMax + 1 : magnitude.length));
  if (isLong) bytes.push(magnitude.length ^ flip);
  for (const byte of magnitude) bytes.push(byte ^ flip);
}

/** Compares keys in the order of Deno KV, as a function for `sort`. */
export function compareKeys(a: Deno.KvKey, b: Deno.KvKey): number {
  return Buffer.compare(encodeKey(a), encodeKey(b));
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
  view.setBigUint64(0, (bits & signBit) === 0n ? ~bits & allBits : bits ^ signBit);
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
