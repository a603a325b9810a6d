const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Creates an id such as `key_4fR…`: 22 characters of base62, 131 bits. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBase62(22)}`;
}

/** Uniform: rejects bytes that would favour the first characters of the alphabet. */
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

const timeLength = 10;
const placeLength = 2;
const placesMax = 32 ** placeLength;

/**
 * Creates an id that sorts by time, and after `previous` even if the clock went back. Like a ULID:
 * 10 characters of milliseconds, 2 of the sequence within one millisecond and 14 random ones (70
 * bits).
 */
export function newOrderedId(atMs: number, previous?: string): string {
  let random = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(14))) {
    random += orderedAlphabet[byte % 32];
  }
  return placeAfter(atMs, previous) + random;
}

function placeAfter(atMs: number, previous: string | undefined): string {
  const time = base32(atMs, timeLength);
  const last = previous?.slice(0, timeLength) ?? "";
  if (last < time) return time + base32(0, placeLength);
  const place = readBase32(previous?.slice(timeLength, timeLength + placeLength) ?? "") + 1;
  if (place < placesMax) return last + base32(place, placeLength);
  return base32(readBase32(last) + 1, timeLength) + base32(0, placeLength);
}

function readBase32(text: string): number {
  return [...text].reduce((value, character) => value * 32 + orderedAlphabet.indexOf(character), 0);
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
