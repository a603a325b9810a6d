import { keptAsBytes, keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { StoreError } from "../kv/error.ts";
import { openStore } from "../kv/open.ts";
import type { Store } from "../kv/store.ts";
import { decodeValue, isEncoded } from "../kv/value.ts";
import type { PortableEntry } from "./entry_line.ts";
import { fileEntries } from "./file_entries.ts";

/** Below the limits of Deno KV for one commit: 1,000 entries, 80 KiB of keys and 800 KiB in all. */
const [entriesAtOnceMax, keyBytesAtOnceMax, bytesAtOnceMax] = [500, 70_000, 400_000];

interface Imported {
  readonly entries: number;
  /** Left out, because their time was over. */
  readonly expired: number;
}

interface ImportOptions {
  readonly nowMs: number;
  /** Receives the number of entries read so far. */
  readonly progress?: (entries: number) => void;
}

/**
 * Writes entries into an empty store, or into one of an interrupted import, which is emptied first.
 * Until the end, the store is marked so that no gateway starts on it. Throws `already_exists` for
 * any other store.
 */
export async function importEntries(
  store: Store,
  entries: AsyncIterable<PortableEntry>,
  { nowMs, progress = () => {} }: ImportOptions,
): Promise<Imported> {
  await prepare(store);
  const writer = new BatchWriter(store);
  let [read, written, expired] = [0, 0, 0];
  for await (const entry of entries) {
    progress(++read);
    if (leftOut.has(entry.key[0])) continue;
    const expireIn = entry.expiresAtMs === undefined ? undefined : entry.expiresAtMs - nowMs;
    if (expireIn !== undefined && expireIn <= 0) expired++;
    else await writer.add(entry, expireIn);
    written++;
  }
  await writer.flush();
  await store.kv.delete(keys.importing);
  return { entries: written - expired, expired };
}

/** The format, which the new store has noted, and what only stores from before the first release have. */
const leftOut: ReadonlySet<Deno.KvKeyPart> = new Set([
  keys.format[0],
  "alert_delivery",
  "contents_sealed",
  "values_rewritten",
]);

async function prepare(store: Store): Promise<void> {
  const isInterrupted = (await store.kv.get(keys.importing)).value !== null;
  if (isInterrupted) await clear(store);
  else if (!await isEmpty(store)) {
    throw new StoreError(
      "already_exists",
      `Cannot import into the store ${store.health.where}: it is not empty. Set TESSERA_KV to a new store`,
    );
  }
  await store.kv.set(keys.importing, true);
}

/** Returns true if the store has nothing but the format that its opening notes. */
async function isEmpty(store: Store): Promise<boolean> {
  for await (const { key } of store.kv.list({ prefix: [] }, { limit: 3 })) {
    if (!unimportant.has(key[0])) return false;
  }
  return true;
}

const unimportant: ReadonlySet<Deno.KvKeyPart> = new Set([keys.format[0], keys.probe[0]]);

async function clear(store: Store): Promise<void> {
  let operation = store.kv.atomic();
  let count = 0;
  for await (const { key } of store.kv.list({ prefix: [] }, { batchSize: entriesAtOnceMax })) {
    if (key[0] === keys.importing[0] || key[0] === keys.format[0]) continue;
    operation.delete(key);
    if (++count % entriesAtOnceMax > 0) continue;
    await operation.commit();
    operation = store.kv.atomic();
  }
  await operation.commit();
}

/** Writes entries in commits of several. */
class BatchWriter {
  readonly #store: Store;
  #operation: AtomicOperation;
  #entries = 0;
  #keyBytes = 0;
  #bytes = 0;

  constructor(store: Store) {
    this.#store = store;
    this.#operation = store.kv.atomic();
  }

  async add({ key, value }: PortableEntry, expireIn: number | undefined): Promise<void> {
    const keyBytes = keyBytesMax(key);
    const bytes = keyBytes + (value instanceof Uint8Array ? value.length : 8);
    const isFull = this.#entries === entriesAtOnceMax ||
      this.#keyBytes + keyBytes > keyBytesAtOnceMax || this.#bytes + bytes > bytesAtOnceMax;
    if (isFull) await this.flush();
    this.#operation.set(key, plainValue(key, value), expireIn === undefined ? {} : { expireIn });
    this.#entries++;
    this.#keyBytes += keyBytes;
    this.#bytes += bytes;
  }

  async flush(): Promise<void> {
    if (this.#entries > 0) await this.#operation.commit();
    this.#operation = this.#store.kv.atomic();
    [this.#entries, this.#keyBytes, this.#bytes] = [0, 0, 0];
  }
}

/** An upper bound: UTF-8 has at most three bytes for a unit of a text. */
function keyBytesMax(key: Deno.KvKey): number {
  const bytes = key.map((part) => {
    if (typeof part === "string") return part.length * 3 + 2;
    return part instanceof Uint8Array ? part.length * 2 + 2 : String(part).length + 10;
  });
  return bytes.reduce((sum, length) => sum + length, 0);
}

/** The value as a store's functions write it: the database encodes it again. */
function plainValue(key: Deno.KvKey, value: PortableEntry["value"]): unknown {
  const isPlain = value instanceof Deno.KvU64 || keptAsBytes.has(key[0]) || !isEncoded(value);
  return isPlain ? value : decodeValue(value);
}

/**
 * Copies the upstreams of a local store, which a gateway may be using, into a store in memory, and
 * changes nothing. Throws as `fileEntries` does.
 */
export async function inspectFile(path: string, secret: string): Promise<Store> {
  const records = await openStore({ location: { type: "memory" }, secret, isImport: true });
  const nowMs = Date.now();
  try {
    await importEntries(records, inspectedEntries(path, nowMs), { nowMs });
    return records;
  } catch (error) {
    records.close();
    throw error;
  }
}

const inspected = [keys.secretCheck, keys.upstreams, keys.recordPart("", "")];

async function* inspectedEntries(path: string, nowMs: number): AsyncGenerator<PortableEntry> {
  for (const [first] of inspected) yield* fileEntries(path, { nowMs, prefix: first });
}
