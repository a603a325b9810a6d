import { compareKeys } from "./key_codec.ts";
import { retryWhileLocked, type WriteLock } from "./write_lock.ts";

/** The conditions and changes of one commit. */
export interface Changes {
  readonly checks: readonly Deno.AtomicCheck[];
  readonly mutations: readonly Deno.KvMutation[];
}

/** The maximum of Deno KV for one read. */
export const keysReadMax = 10;

export type Committed = Deno.KvCommitResult | Deno.KvCommitError;

/**
 * The part of a database that a store uses. Keys and entries have the shapes of Deno KV; values are
 * bytes, or sums of 64 bits (`Deno.KvU64`).
 */
export interface Engine {
  get(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<unknown>>;
  /** Reads at most `keysReadMax` keys, in order. */
  getMany(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]>;
  /** Yields entries in the order of their keys. */
  list(
    selector: Deno.KvListSelector,
    options?: Deno.KvListOptions,
  ): AsyncIterable<Deno.KvEntry<unknown>>;
  /** Makes all changes, or none of them if a check fails. */
  commit(changes: Changes): Promise<Committed>;
  /** Streams the entries of keys now and after each change; may leave out all but the last. */
  watch(keys: readonly Deno.KvKey[]): ReadableStream<Deno.KvEntryMaybe<unknown>[]>;
  close(): void;
}

/** Reads many keys of a database, in order. */
export async function readInBatches(
  database: Pick<Engine, "getMany">,
  keys: readonly Deno.KvKey[],
): Promise<Deno.KvEntryMaybe<unknown>[]> {
  const reads: Promise<Deno.KvEntryMaybe<unknown>[]>[] = [];
  for (let start = 0; start < keys.length; start += keysReadMax) {
    reads.push(database.getMany(keys.slice(start, start + keysReadMax)));
  }
  return (await Promise.all(reads)).flat();
}

/** The keys of sums that are remembered. */
const sumsMax = 10_000;

/** Deno KV, with guards against two of its faults (2.8.2). A local file needs the lock. */
export class DenoEngine implements Engine {
  readonly #kv: Deno.Kv;
  readonly #lock: WriteLock | undefined;
  /** Keys that hold sums, as texts. */
  readonly #sums = new Set<string>();

  constructor(kv: Deno.Kv, lock?: WriteLock) {
    this.#kv = kv;
    this.#lock = lock;
  }

  get(key: Deno.KvKey) {
    return this.#kv.get(key);
  }

  getMany(keys: readonly Deno.KvKey[]) {
    return this.#kv.getMany<unknown[]>(keys);
  }

  list(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): AsyncIterable<Deno.KvEntry<unknown>> {
    if (!("start" in selector && "end" in selector)) return this.#kv.list(selector, options);
    return this.#listRange(selector, options);
  }

  /** Deno KV begins a list again after a batch that ends with the key `start`, if `end` begins with it. */
  async *#listRange(
    selector: { readonly start: Deno.KvKey; readonly end: Deno.KvKey },
    options: Deno.KvListOptions,
  ): AsyncGenerator<Deno.KvEntry<unknown>> {
    let count = 0;
    for await (const entry of this.#kv.list(selector, options)) {
      yield entry;
      count++;
      if (!isSameKey(entry.key, selector.start)) continue;
      if (options.reverse || count === options.limit) return;
      const start = [...selector.start, new Uint8Array()]; // the next key
      return yield* this.#listRange({ ...selector, start }, {
        ...options,
        ...limitBy(options, count),
      });
    }
  }

  async commit({ checks, mutations }: Changes): Promise<Committed> {
    await this.#assertSums(mutations);
    const operation = this.#kv.atomic().check(...checks).mutate(...mutations);
    const lock = this.#lock;
    if (lock === undefined) return await operation.commit();
    return await lock.hold(() => retryWhileLocked(() => operation.commit()));
  }

  /** A sum on another value would fail, but Deno KV would keep the mutations before it. */
  async #assertSums(mutations: Changes["mutations"]): Promise<void> {
    if (mutations.length < 2) return;
    const unknown = new Map<string, Deno.KvKey>();
    for (const { type, key } of mutations) {
      if (type === "set" || type === "delete") continue;
      const text = key.join("\0");
      if (!this.#sums.has(text)) unknown.set(text, key);
    }
    for (const { value } of await readInBatches(this, [...unknown.values()])) {
      if (value !== null && !(value instanceof Deno.KvU64)) throw notASum();
    }
    if (this.#sums.size > sumsMax) this.#sums.clear();
    for (const text of unknown.keys()) this.#sums.add(text);
  }

  watch(keys: readonly Deno.KvKey[]) {
    return this.#kv.watch<unknown[]>(keys);
  }

  close(): void {
    this.#kv.close();
  }
}

/** Deno KV's own error, whose text it has for `min` and `max` too. */
export function notASum(): TypeError {
  return new TypeError("Failed to perform 'sum' mutation on a non-U64 value in the database");
}

function isSameKey(a: Deno.KvKey, b: Deno.KvKey): boolean {
  return a.length === b.length && compareKeys(a, b) === 0;
}

function limitBy({ limit }: Deno.KvListOptions, count: number): Deno.KvListOptions {
  return limit === undefined ? {} : { limit: limit - count };
}
