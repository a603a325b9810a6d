const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A fresh id such as `key_4fR…`: 22 characters of base62, 131 bits. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBase62(22)}`;
}

/** Uniform: bytes that would favour the alphabet's first characters are drawn again. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}

/** A number in base62, padded with zeros to `length`. */
export function base62(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) {
    text = alphabet[rest % 62] + text;
  }
  return text;
}

const orderedAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * An id that sorts by time, and among those of one commit by their place in it: like a ULID, 10
 * characters of milliseconds, 2 of the place and 14 random ones (70 bits).
 */
export function newOrderedId(atMs: number, place = 0): string {
  let random = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(14))) {
    random += orderedAlphabet[byte % 32];
  }
  return base32(atMs, 10) + base32(place, 2) + random;
}

/** The first id of a moment: all ids of earlier moments sort before it. */
export function firstOrderedId(atMs: number): string {
  return base32(atMs, 10);
}

function base32(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) {
    text = orderedAlphabet[rest % 32] + text;
  }
  return text;
}
