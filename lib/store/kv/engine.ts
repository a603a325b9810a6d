import { retryWhileLocked, type WriteLock } from "./write_lock.ts";

/** The conditions and changes of one commit. */
export interface Changes {
  readonly checks: readonly Deno.AtomicCheck[];
  readonly mutations: readonly Deno.KvMutation[];
}

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

/** Deno KV. A local file needs the lock. */
export class DenoEngine implements Engine {
  readonly #kv: Deno.Kv;
  readonly #lock: WriteLock | undefined;

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

  list(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
    return this.#kv.list(selector, options);
  }

  commit({ checks, mutations }: Changes): Promise<Committed> {
    const operation = this.#kv.atomic().check(...checks).mutate(...mutations);
    const lock = this.#lock;
    if (lock === undefined) return operation.commit();
    return lock.hold(() => retryWhileLocked(() => operation.commit()));
  }

  watch(keys: readonly Deno.KvKey[]) {
    return this.#kv.watch<unknown[]>(keys);
  }

  close(): void {
    this.#kv.close();
  }
}
