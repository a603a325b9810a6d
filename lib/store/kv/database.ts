import { storeFaultOf, StoreUnavailable } from "../file/store_fault.ts";
import type { StoreFile } from "../file/store_file.ts";
import type { StoreHealth } from "../file/store_health.ts";
import { keptAsBytes } from "../keys.ts";
import type { Changes, Committed, Engine } from "./engine.ts";
import { decodeValue, encodeValue, isEncoded } from "./value.ts";

interface SetOptions {
  /** Milliseconds after which the entry may be deleted. */
  readonly expireIn?: number;
}

/**
 * The database of a store. It stores every value but sums as bytes that each version of Deno reads,
 * and reports errors: an operation that meets a full disk, a damaged file or the like throws
 * `StoreUnavailable`. After that, nothing more is written into a lost or damaged file.
 *
 * An entry whose value this release cannot read does not end a list: the access to its `value`
 * throws `unreadable`.
 */
export class Database {
  readonly #engine: Engine;
  readonly #health: StoreHealth;
  readonly #file: StoreFile | undefined;

  /** `file` is that of a local store. */
  constructor(engine: Engine, health: StoreHealth, file?: StoreFile) {
    this.#engine = engine;
    this.#health = health;
    this.#file = file;
  }

  async get<Value = unknown>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<Value>> {
    try {
      return decodedEntry(await this.#engine.get(key)) as Deno.KvEntryMaybe<Value>; // the caller knows
    } catch (error) {
      throw this.#reported(error);
    }
  }

  async getMany(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    try {
      return (await this.#engine.getMany(keys)).map(decodedEntry);
    } catch (error) {
      throw this.#reported(error);
    }
  }

  async *list<Value = unknown>(
    selector: Deno.KvListSelector,
    options?: Deno.KvListOptions,
  ): AsyncGenerator<Deno.KvEntry<Value>> {
    try {
      for await (const entry of this.#engine.list(selector, options)) {
        yield decodedEntry(entry) as Deno.KvEntry<Value>; // the caller knows what it stored
      }
    } catch (error) {
      throw this.#reported(error);
    }
  }

  async set(key: Deno.KvKey, value: unknown, options?: SetOptions): Promise<Deno.KvCommitResult> {
    const committed = await this.#single().set(key, value, options).commit();
    return committed as Deno.KvCommitResult; // without a check, none can fail
  }

  async delete(key: Deno.KvKey): Promise<void> {
    await this.#single().delete(key).commit();
  }

  atomic(): AtomicOperation {
    return new AtomicOperation(async (changes) => {
      const startedAt = performance.now();
      const committed = await this.#commit(changes);
      this.#health.committed(performance.now() - startedAt);
      return committed;
    });
  }

  watch<Value = unknown>(
    keys: readonly Deno.KvKey[],
  ): ReadableStream<Deno.KvEntryMaybe<Value>[]> {
    return this.#engine.watch(keys).pipeThrough(
      new TransformStream({
        transform: (entries, controller) =>
          controller.enqueue(entries.map(decodedEntry) as Deno.KvEntryMaybe<Value>[]), // the caller knows
      }),
    );
  }

  close(): void {
    this.#engine.close();
  }

  /** A write alone. It is not measured, because the probe is one and shorter than any commit. */
  #single(): AtomicOperation {
    return new AtomicOperation((changes) => this.#commit(changes));
  }

  async #commit(changes: Changes): Promise<Committed> {
    this.#health.assertWritable();
    try {
      const committed = await this.#engine.commit(changes);
      this.#assertInPlace(); // a write into a file that was deleted or replaced does not count
      return committed;
    } catch (error) {
      throw this.#reported(error);
    }
  }

  #assertInPlace(): void {
    const fault = this.#file?.displaced();
    if (fault) this.#health.report(fault);
    this.#health.assertWritable();
  }

  /** Returns the error to throw instead. */
  #reported(error: unknown): unknown {
    if (error instanceof StoreUnavailable) return error; // reported already
    const fault = storeFaultOf(error);
    if (fault === undefined) return error;
    this.#health.report(fault);
    return this.#health.error(fault, error);
  }
}

/** A century: a time beyond its calendar ends the process of Deno KV (2.8.2), so such entries stay. */
const expireInMax = 100 * 365 * 86_400_000;

/** Changes of one commit. */
export class AtomicOperation {
  readonly #checks: Deno.AtomicCheck[] = [];
  readonly #mutations: Deno.KvMutation[] = [];
  readonly #commit: (changes: Changes) => Promise<Committed>;

  constructor(commit: (changes: Changes) => Promise<Committed>) {
    this.#commit = commit;
  }

  /** Fails the commit if an entry has another version by then. */
  check(...checks: readonly Deno.AtomicCheck[]): this {
    this.#checks.push(...checks);
    return this;
  }

  set(key: Deno.KvKey, value: unknown, { expireIn }: SetOptions = {}): this {
    const lifetime = expireIn !== undefined && expireIn > expireInMax ? undefined : expireIn;
    return this.#add({ type: "set", key, value: encoded(key, value), expireIn: lifetime });
  }

  delete(key: Deno.KvKey): this {
    return this.#add({ type: "delete", key });
  }

  sum(key: Deno.KvKey, amount: bigint): this {
    return this.#add({ type: "sum", key, value: new Deno.KvU64(amount) });
  }

  min(key: Deno.KvKey, amount: bigint): this {
    return this.#add({ type: "min", key, value: new Deno.KvU64(amount) });
  }

  max(key: Deno.KvKey, amount: bigint): this {
    return this.#add({ type: "max", key, value: new Deno.KvU64(amount) });
  }

  commit(): Promise<Committed> {
    return this.#commit({ checks: this.#checks, mutations: this.#mutations });
  }

  #add(mutation: Deno.KvMutation): this {
    this.#mutations.push(mutation);
    return this;
  }
}

function encoded(key: Deno.KvKey, value: unknown): unknown {
  return keptAsBytes.has(key[0]) || value instanceof Deno.KvU64 ? value : encodeValue(value);
}

function decodedEntry<Entry extends Deno.KvEntryMaybe<unknown>>(entry: Entry): Entry {
  const { key, value, versionstamp } = entry;
  if (!isEncoded(value) || keptAsBytes.has(key[0])) return entry;
  try {
    return { key, value: decodeValue(value), versionstamp } as Entry; // only its value differs
  } catch (error) {
    return {
      key,
      get value() {
        throw error;
      },
      versionstamp,
    } as Entry; // its value cannot be read
  }
}
