import { digestOf } from "../kv/digest.ts";

const slotsCount = 1_024;
/** Longer texts are no keys; they are not remembered. */
const secretCharsMax = 256;

interface Slot {
  readonly secret: string;
  readonly digest: string;
}

/**
 * The digests of recently presented secrets, because hashing costs more than the rest of finding a
 * key. Compares secrets in constant time; holds at most `slotsCount` of them, in memory alone.
 */
export class KeyDigests {
  readonly #slots: (Slot | undefined)[] = Array.from({ length: slotsCount }, () => undefined);
  /** Makes the slot of a secret unpredictable from outside. */
  readonly #seed = crypto.getRandomValues(new Uint32Array(1))[0];

  of(secret: string): string {
    if (secret.length > secretCharsMax) return digestOf(secret);
    const at = this.#slotOf(secret);
    const known = this.#slots[at];
    if (known && areEqual(known.secret, secret)) return known.digest;
    const digest = digestOf(secret);
    this.#slots[at] = { secret, digest };
    return digest;
  }

  /** FNV-1a. */
  #slotOf(secret: string): number {
    let hash = this.#seed;
    for (let at = 0; at < secret.length; at++) {
      hash = Math.imul(hash ^ secret.charCodeAt(at), 0x01000193);
    }
    return (hash >>> 0) % slotsCount;
  }
}

/** Takes the same time wherever two texts of one length differ. */
function areEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
