import { digestOf } from "../store/mod.ts";

const recoveryCodesCount = 10;

/** Crockford's base 32: no I, L, O or U, which are easily mistaken for other characters. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 16 characters have 80 bits, so that a digest does not reveal a code. */
const length = 16;
const enteredLengthMax = 100;

/** Creates codes such as `7K3Q-0H2M-…`, which are shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodesCount }, newCode);
}

/** Returns the digest of an entered recovery code; undefined if it is malformed. */
export function recoveryDigest(entered: string): string | undefined {
  const plain = entered.slice(0, enteredLengthMax).normalize("NFKC").toUpperCase()
    .replace(/[\s\p{Pd}]/gu, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  const whole = plain.length === length && [...plain].every((one) => alphabet.includes(one));
  return whole ? digestOf(plain) : undefined;
}

function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  const plain = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join(""); // 256 is a multiple of 32
  return plain.match(/.{4}/g)?.join("-") ?? plain;
}
