import { BoundedMap } from "../../bounded_map.ts";
import type { ApiKey } from "../api_keys/api_key.ts";
import { digestOf } from "../kv/digest.ts";
import type { Account } from "../users/user.ts";

/** A key as the request path needs it, with the account that pays for it. */
export interface KnownKey extends ApiKey {
  readonly account: Account;
  /** The time until which the contents of its calls are recorded; absent: they are not. */
  readonly recordUntilMs?: number;
}

interface KeyCacheOptions {
  /** Number of keys in memory. */
  readonly keysMax: number;
  /** Number of unknown secrets remembered, so that each costs one read. */
  readonly unknownKeysMax: number;
  readonly now: () => number;
  readonly read: (digest: string) => Promise<KnownKey | undefined>;
}

/** API keys by digest, read once and kept until `clear`. */
export class KeyCache {
  readonly #options: KeyCacheOptions;
  readonly #known: BoundedMap<string, KnownKey>;
  readonly #unknown: BoundedMap<string, true>;
  readonly #reading = new Map<string, Promise<KnownKey | undefined>>();
  #generation = 0;

  constructor(options: KeyCacheOptions) {
    this.#options = options;
    this.#known = new BoundedMap(options.keysMax);
    this.#unknown = new BoundedMap(options.unknownKeysMax);
  }

  /** Returns the key from memory; undefined also if the store was not read yet. */
  peek(digest: string): KnownKey | undefined {
    const apiKey = this.#known.get(digest);
    return apiKey !== undefined && this.#opens(apiKey, digest) ? apiKey : undefined;
  }

  /** Concurrent calls for the same digest share one read. */
  async find(digest: string): Promise<KnownKey | undefined> {
    const known = this.#known.get(digest);
    if (known === undefined && this.#unknown.get(digest)) return undefined;
    const apiKey = known ?? await (this.#reading.get(digest) ?? this.#read(digest));
    return apiKey !== undefined && this.#opens(apiKey, digest) ? apiKey : undefined;
  }

  /** Clears the cache. A read in progress still answers its callers, but is not cached. */
  clear(): void {
    this.#generation++;
    this.#known.clear();
    this.#unknown.clear();
    this.#reading.clear();
  }

  #read(digest: string): Promise<KnownKey | undefined> {
    const reading = this.#readAndKeep(digest, this.#generation);
    this.#reading.set(digest, reading);
    return reading;
  }

  async #readAndKeep(digest: string, generation: number): Promise<KnownKey | undefined> {
    try {
      const apiKey = await this.#options.read(digest);
      if (generation !== this.#generation) return apiKey;
      if (apiKey === undefined) this.#unknown.set(digest, true);
      else this.#known.set(digest, apiKey);
      return apiKey;
    } finally {
      if (generation === this.#generation) this.#reading.delete(digest);
    }
  }

  /**
   * Returns true if the digest opens the key: of its secret, or of the previous one during its
   * grace period.
   */
  #opens(apiKey: KnownKey, digest: string): boolean {
    if (apiKey.digest === digest) return true;
    return apiKey.previous?.digest === digest &&
      apiKey.previous.expiresAtMs > this.#options.now();
  }
}

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
