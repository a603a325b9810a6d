const quote = 0x22;
const openArray = 0x5b;
const backslash = 0x5c;
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
