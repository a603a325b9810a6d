import { crc32 } from "node:zlib";
import { base62, randomBase62 } from "../store/kv/id.ts";

const prefix = "sk-";
/** 28 characters of base62 are 166 bits. */
const randomLength = 28;
const checksumLength = 6;

/** A fresh secret of an API key: `sk-`, 166 random bits, and a checksum that catches slips in copying. */
export function newApiKeySecret(): string {
  const random = randomBase62(randomLength);
  return prefix + random + checksumOf(random);
}

/**
 * Returns true if the checksum of one of our own secrets is right. Secrets from the configuration
 * need none.
 */
export function checksumHolds(secret: string): boolean {
  if (secret.length !== prefix.length + randomLength + checksumLength) return false;
  const random = secret.slice(prefix.length, -checksumLength);
  return secret.startsWith(prefix) && secret.endsWith(checksumOf(random));
}

/** Returns the parts of a secret that may be shown: `sk-4fR` and its last four characters. */
export function shownParts(secret: string): { readonly prefix: string; readonly lastFour: string } {
  return { prefix: secret.slice(0, 6), lastFour: secret.slice(-4) };
}

function checksumOf(random: string): string {
  return base62(crc32(random), checksumLength);
}
