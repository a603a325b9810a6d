import { crc32 } from "node:zlib";
import { base62, randomBase62 } from "../store/kv/id.ts";

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
 * Returns true if the checksum of a secret is right. Only secrets that the gateway made have one.
 */
export function checksumHolds(secret: string): boolean {
  if (secret.length !== prefix.length + randomLength + checksumLength) return false;
  const random = secret.slice(prefix.length, -checksumLength);
  return secret.startsWith(prefix) && secret.endsWith(checksumOf(random));
}

/**
 * Returns the displayable parts of a secret: `sk-4fR` or `sk-admin-4fR`, and its last four
 * characters.
 */
export function shownParts(secret: string): { readonly prefix: string; readonly lastFour: string } {
  const begin = secret.startsWith(adminTokenPrefix) ? adminTokenPrefix : prefix;
  return { prefix: secret.slice(0, begin.length + 3), lastFour: secret.slice(-4) };
}

function checksumOf(random: string): string {
  return base62(crc32(random), checksumLength);
}
