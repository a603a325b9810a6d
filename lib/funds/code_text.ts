import { crc32 } from "node:zlib";

/** Crockford's base 32: no I, L, O or U, which people take for other characters. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 21 characters are 105 bits. */
const randomLength = 21;
const checksumLength = 4;
const groupLength = 5;
const codeLength = randomLength + checksumLength;
const enteredLengthMax = 200;

/** A fresh code such as `7K3QX-0H2MD-…`: 105 random bits and a checksum, in five groups of five. */
export function newCode(): string {
  let random = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(randomLength))) {
    random += alphabet[byte % alphabet.length]; // 256 is a multiple of 32, so none is favoured
  }
  return grouped(random + checksumOf(random));
}

/**
 * A code as it is digested, from how somebody entered it: in any case, with or without dashes and
 * spaces, with the letters that look like digits. Undefined where it cannot be one of ours, such
 * as when a character is missing.
 */
export function readCode(entered: string): string | undefined {
  const plain = entered.slice(0, enteredLengthMax).normalize("NFKC").toUpperCase()
    .replace(/[\s\p{Pd}]/gu, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  const random = plain.slice(0, randomLength);
  const whole = plain.length === codeLength && plain.endsWith(checksumOf(random));
  return whole && [...plain].every((character) => alphabet.includes(character)) ? plain : undefined;
}

/** What may be shown of a code that is read: its first and its last four characters. */
export function shownCode(code: string): { readonly prefix: string; readonly lastFour: string } {
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
