import type { AtomicOperation } from "./database.ts";
import { readInBatches } from "./engine.ts";
import { StoreError } from "./error.ts";
import { setValue, type StoredEntry, wholeValues } from "./large_record.ts";
import type { Store } from "./store.ts";

/** The storage of one kind of records. Each value contains the version of its format. */
export interface Kind<Record extends object> {
  /** As used in messages: `API key`, `upstream`. */
  readonly name: string;
  readonly version: number;
  /** The type of its records; absent from the value. */
  readonly record?: Record;
}

const updateAttemptsMax = 32;
const pauseMsMax = 20;

export function encodeRecord<Record extends object>(kind: Kind<Record>, record: Record): object {
  return { version: kind.version, ...record };
}

/**
 * Adds the writing of a record, large or small, to a commit. `former` is the entry now at its key.
 */
export function setRecord<Record extends object>(
  operation: AtomicOperation,
  kind: Kind<Record>,
  { former, record }: { readonly former: StoredEntry; readonly record: Record },
): AtomicOperation {
  return setValue(operation, former, encodeRecord(kind, record));
}

export function decodeRecord<Record extends object>(kind: Kind<Record>, value: unknown): Record {
  const { version, ...record } = value as { version?: number }; // encodeRecord wrote every value
  if (version === kind.version) return record as Record; // a value of this version has this shape
  throw new StoreError(
    "unreadable",
    `Cannot read ${kind.name}: it was written by version ${version} of the format, this release reads version ${kind.version}`,
  );
}

export async function getRecord<Record extends object>(
  store: Store,
  kind: Kind<Record>,
  key: Deno.KvKey,
): Promise<Record | undefined> {
  for (let attempt = 0; attempt < updateAttemptsMax; attempt++) {
    const { value } = await store.kv.get(key);
    if (value === null) return undefined;
    const [whole] = await wholeValues(store, [value]);
    if (whole !== undefined) return decodeRecord(kind, whole);
  }
  throw conflict(kind.name);
}

/** Reads many keys, in order; undefined for missing records. */
export async function getRecords<Record extends object>(
  store: Store,
  kind: Kind<Record>,
  recordKeys: readonly Deno.KvKey[],
): Promise<(Record | undefined)[]> {
  return await recordsIn(store, kind, await readInBatches(store.kv, recordKeys));
}

export async function listRecords<Record extends object>(
  store: Store,
  kind: Kind<Record>,
  prefix: Deno.KvKey,
): Promise<Record[]> {
  const entries = await Array.fromAsync(store.kv.list({ prefix }, { batchSize: 500 }));
  const records = await recordsIn(store, kind, entries);
  return records.filter((record) => record !== undefined);
}

/** Decodes the records of entries. Reads those again whose values were replaced meanwhile. */
async function recordsIn<Record extends object>(
  store: Store,
  kind: Kind<Record>,
  entries: readonly StoredEntry[],
): Promise<(Record | undefined)[]> {
  const values = await wholeValues(store, entries.map(({ value }) => value));
  return await Promise.all(values.map((value, at) => {
    if (value === undefined) return getRecord(store, kind, entries[at].key);
    return value === null ? undefined : decodeRecord(kind, value);
  }));
}

/**
 * Reads a record and lets `change` add to a commit, which fails if the record has changed since;
 * then tries again. Returns undefined if there is no such record.
 */
export async function changeRecord<Record extends object, Result>(
  store: Store,
  { kind, key }: { readonly kind: Kind<Record>; readonly key: Deno.KvKey },
  change: (
    current: Record,
    operation: AtomicOperation,
    former: StoredEntry,
  ) => Result | Promise<Result>,
): Promise<Result | undefined> {
  for (let attempt = 0; attempt < updateAttemptsMax; attempt++) {
    const entry = await store.kv.get(key);
    if (entry.value === null) return undefined;
    const [value] = await wholeValues(store, [entry.value]);
    if (value === undefined) continue;
    const operation = store.kv.atomic().check(entry);
    const result = await change(decodeRecord(kind, value), operation, entry);
    if (await store.commitChange(operation)) return result;
    await pauseAfterConflict(attempt);
  }
  throw conflict(kind.name);
}

export function conflict(name: string): StoreError {
  return new StoreError(
    "conflict",
    `Cannot change ${name}: concurrent changes keep conflicting. Try again`,
  );
}

/** Waits for a random time, so that competing writers try again at different times. */
export function pauseAfterConflict(attempt: number): Promise<void> {
  return new Promise((resolve) =>
    setTimeout(resolve, Math.random() * Math.min(attempt, pauseMsMax))
  );
}
