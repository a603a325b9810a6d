/** Thrown for bytes that are no valid JSON. `JSON.parse` then finds the words for the fault. */
export const notJson = new Error("The JSON is malformed or too complex");

const quote = 0x22;
const plus = 0x2b;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const backslash = 0x5c;
const letterE = 0x65;
const letterF = 0x66;
const letterT = 0x74;
const letterU = 0x75;

/** The index after white space, of which most JSON has little. */
export function spaceEnd(bytes: Uint8Array, start: number): number {
  return bytes[start] > 0x20 ? start : anySpaceEnd(bytes, start);
}

function anySpaceEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isSpace(bytes[at])) at++;
  return at;
}

/**
 * The index after a string's closing quote; `start` is after its opening one, and `view` is of the
 * same bytes. Throws `notJson`.
 */
export function textEnd(bytes: Uint8Array, view: DataView, start: number): number {
  for (let at = start; at < bytes.length;) {
    at = plainEnd(bytes, view, at);
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte !== backslash) break;
    at = escapeEnd(bytes, at + 1);
  }
  throw notJson;
}

/** The index of the next quote, backslash or control character. Looks at four bytes at once. */
function plainEnd(bytes: Uint8Array, view: DataView, start: number): number {
  let at = start;
  for (const last = bytes.length - 4; at <= last; at += 4) {
    const four = view.getInt32(at);
    const low = four ^ 0x02020202; // the quote becomes 0x20, control characters stay below
    const backslashes = four ^ 0x5c5c5c5c;
    // The highest bit of a byte is set in `x - 0x21… & ~x` if the byte is below 0x21.
    const ends = (low - 0x21212121 & ~low) | (backslashes - 0x01010101 & ~backslashes);
    if ((ends & 0x80808080) !== 0) break;
  }
  while (at < bytes.length && isPlain(bytes[at])) at++;
  return at;
}

/** The index after an escape; `at` is after its backslash. */
function escapeEnd(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte !== letterU) {
    if (!isEscape[byte]) throw notJson;
    return at + 1;
  }
  for (let digit = at + 1; digit < at + 5; digit++) {
    if (!isHex(bytes[digit])) throw notJson;
  }
  return at + 5;
}

/** The index after a number, `true`, `false` or `null`. Throws `notJson`. */
export function scalarEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === minus || isDigit(first)) return numberEnd(bytes, at);
  const word = first === letterT ? trueBytes : first === letterF ? falseBytes : nullBytes;
  for (let index = 0; index < word.length; index++) {
    if (bytes[at + index] !== word[index]) throw notJson;
  }
  return at + word.length;
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === minus ? start + 1 : start;
  at = bytes[at] === zero ? at + 1 : digitsEnd(bytes, at);
  if (bytes[at] === point) at = digitsEnd(bytes, at + 1);
  if ((bytes[at] | 0x20) !== letterE) return at;
  const sign = bytes[at + 1];
  return digitsEnd(bytes, sign === plus || sign === minus ? at + 2 : at + 1);
}

/** The index after one or more digits. */
function digitsEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  if (at === start) throw notJson;
  return at;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const trueBytes = bytesOf("true");
const falseBytes = bytesOf("false");
const nullBytes = bytesOf("null");
/** 1 for each byte that is an escape after a backslash. */
const isEscape = new Uint8Array(256);
for (const byte of bytesOf('"\\/bfnrt')) isEscape[byte] = 1;

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte !== quote && byte !== backslash;
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}

function isHex(byte: number): boolean {
  const letter = byte | 0x20;
  return isDigit(byte) || (letter >= 0x61 && letter <= 0x66);
}

const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * The index after the string, the object or the array at `at`, else after one byte. Beyond the
 * length if it is unterminated.
 */
export function valuePartEnd(bytes: Uint8Array, at: number): number {
  let depth = 0;
  do {
    const byte = bytes[at++];
    if (byte === quote) at = stringEndInBytes(bytes, at);
    else if (byte === openArray || byte === openObject) depth++;
    else if (byte === closeArray || byte === closeObject) depth--;
  } while (depth > 0 && at < bytes.length);
  return at;
}

/** Bytes of a string that are scanned here before a native search, which is faster only for long strings. */
const nearBytes = 64;

/**
 * The index after a string's closing quote; `at` is after its opening one. Without a closing quote,
 * the length plus one, or plus two if the last byte escapes the next.
 */
export function stringEndInBytes(bytes: Uint8Array, at: number): number {
  const { length } = bytes;
  while (at < length) {
    const near = Math.min(at + nearBytes, length);
    for (; at < near; at++) {
      const byte = bytes[at];
      if (byte === quote) return at + 1;
      if (byte === backslash) at++;
    }
    if (at >= length) break;
    const found = bytes.indexOf(quote, at);
    const end = found < 0 ? length : found;
    const isEscaped = backslashesBefore(bytes, end, at) % 2 === 1;
    if (found < 0) return isEscaped ? length + 2 : length + 1;
    at = found + 1;
    if (!isEscaped) return at;
  }
  return at > length ? length + 2 : length + 1;
}

function backslashesBefore(bytes: Uint8Array, end: number, start: number): number {
  let at = end;
  while (at > start && bytes[at - 1] === backslash) at--;
  return end - at;
}
