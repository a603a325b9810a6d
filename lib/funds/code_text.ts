import { crc32 } from "node:zlib";

/** Crockford's base 32: no I, L, O or U, which are easily misread. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 21 characters are 105 bits. */
const randomLength = 21;
const checksumLength = 4;
const groupLength = 5;
const codeLength = randomLength + checksumLength;
const enteredLengthMax = 200;

/**
 * Returns a new code such as `7K3QX-0H2MD-…`: 105 random bits and a checksum, in five groups of
 * five.
 */
export function newCode(): string {
  let random = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(randomLength))) {
    random += alphabet[byte % alphabet.length]; // unbiased: 256 is a multiple of 32
  }
  return grouped(random + checksumOf(random));
}

/**
 * Normalizes an entered code to the form that is digested: upper case, no dashes or spaces, `O`
 * read as 0 and `I` and `L` as 1. Returns undefined if the length, the alphabet or the checksum is
 * wrong.
 */
export function readCode(entered: string): string | undefined {
  const plain = entered.slice(0, enteredLengthMax).normalize("NFKC").toUpperCase()
    .replace(/[\s\p{Pd}]/gu, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  const random = plain.slice(0, randomLength);
  const whole = plain.length === codeLength && plain.endsWith(checksumOf(random));
  return whole && [...plain].every((character) => alphabet.includes(character)) ? plain : undefined;
}

/** The visible part of a normalized code: its first and last four characters. */
export function visibleParts(code: string): { readonly prefix: string; readonly lastFour: string } {
  return { prefix: code.slice(0, 4), lastFour: code.slice(-4) };
}

function grouped(code: string): string {
  return code.match(new RegExp(`.{${groupLength}}`, "g"))?.join("-") ?? code;
}

function checksumOf(random: string): string {
  let text = "";
  for (let rest = crc32(random); text.length < checksumLength; rest = Math.floor(rest / 32)) {
    text = alphabet[rest % 32] + text;
  }
  return text;
}
