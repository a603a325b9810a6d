import { crc32 } from "node:zlib";
import { childPublicKey } from "../child_key.ts";
import type { ApiKey } from "../store/api_keys/mod.ts";
import { base62, randomBase62 } from "../store/kv/id.ts";
import { digestOf, type Store } from "../store/mod.ts";

const prefix = "sk-";
/** The beginning of the secrets of API tokens. */
const adminTokenPrefix = "sk-admin-";
/** 28 characters of base62 have 166 bits. */
const randomLength = 28;
const checksumLength = 6;

/**
 * Creates an API key's secret: `sk-`, 166 random bits, and a checksum that detects copying errors.
 */
export function newApiKeySecret(): string {
  return newSecret(prefix);
}

/** Creates an API token's secret: the same after `sk-admin-`. */
export function newAdminTokenSecret(): string {
  return newSecret(adminTokenPrefix);
}

function newSecret(prefix: string): string {
  const random = randomBase62(randomLength);
  return prefix + random + checksumOf(random);
}

/**
 * Returns the displayable parts of a secret: `sk-4fR` or `sk-admin-4fR`, and its last four
 * characters.
 */
export function shownParts(secret: string): { readonly prefix: string; readonly lastFour: string } {
  const begin = secret.startsWith(adminTokenPrefix) ? adminTokenPrefix : prefix;
  return { prefix: secret.slice(0, begin.length + 3), lastFour: secret.slice(-4) };
}

/** The parts of a secret that a key's record keeps; they do not reveal it. */
export function keptParts(
  secret: string,
): Pick<ApiKey, "digest" | "publicKey" | "prefix" | "lastFour"> {
  return { digest: digestOf(secret), publicKey: childPublicKey(secret), ...shownParts(secret) };
}

function checksumOf(random: string): string {
  return base62(crc32(random), checksumLength);
}

/**
 * Creates 256 random bits for a cookie or a link, in base64url. The store keeps only the digest.
 */
export function newToken(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

/** Crockford's base 32: no I, L, O or U, which are easily mistaken for other characters. */
export const codeAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const enteredLengthMax = 200;

/** Random characters for a code that people type. */
export function randomCode(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => codeAlphabet[byte % codeAlphabet.length]).join(""); // unbiased: 256 is a multiple of 32
}

/** Writes a code in groups, such as `7K3Q-0H2M`. */
export function groupedCode(code: string, groupLength: number): string {
  return code.match(new RegExp(`.{${groupLength}}`, "g"))?.join("-") ?? code;
}

/**
 * Normalizes an entered code: upper case, no dashes or spaces, `O` read as 0 and `I` and `L` as 1.
 * Returns undefined if the length or the alphabet is wrong.
 */
export function readCode(entered: string, length: number): string | undefined {
  const plain = entered.slice(0, enteredLengthMax).normalize("NFKC").toUpperCase()
    .replace(/[\s\p{Pd}]/gu, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  const isWhole = plain.length === length && [...plain].every((one) => codeAlphabet.includes(one));
  return isWhole ? plain : undefined;
}

/** Seals what a browser gives back later, so that the store need not hold it. */
export function sealed(store: Store, content: object, context: string): Promise<string> {
  return store.secretBox.seal(JSON.stringify(content), context);
}

/** Opens what `sealed` returned for the same context; undefined if it is forged. */
export async function unsealed<Content>(
  store: Store,
  text: string,
  context: string,
): Promise<Content | undefined> {
  try {
    return JSON.parse(await store.secretBox.open(text, context)); // sealed by us
  } catch {
    return undefined;
  }
}
