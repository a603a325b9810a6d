import type { ZodType } from "zod";
import { StoreError } from "./error.ts";
import type { Store } from "./store.ts";

/** How records of one entity are kept: each value carries the version that wrote it. */
export interface Kind<Record extends object> {
  /** As in a message: `API key`, `upstream`. */
  readonly name: string;
  readonly version: number;
  /** Reads what an older version wrote. The current version's values are trusted as they are. */
  readonly schema: ZodType<Record>;
}

const updateAttemptsMax = 32;
/** The most keys that Deno KV reads at once. */
const keysReadMax = 10;

export function encodeRecord<Record extends object>(kind: Kind<Record>, record: Record): object {
  return { version: kind.version, ...record };
}

export function decodeRecord<Record extends object>(kind: Kind<Record>, value: unknown): Record {
  const { version, ...record } = value as { version?: number }; // every value was written by encodeRecord
  if (version === kind.version) return record as Record; // … of this version, so it has this shape
  const parsed = (version ?? 0) < kind.version ? kind.schema.safeParse(record) : undefined;
  if (parsed?.success) return parsed.data;
  throw new StoreError(
    "unreadable",
    `Cannot read ${kind.name}: it was written by version ${version} of the format, this release reads up to ${kind.version}`,
  );
}

export async function getRecord<Record extends object>(
  store: Store,
  kind: Kind<Record>,
  key: Deno.KvKey,
): Promise<Record | undefined> {
  const { value } = await store.kv.get(key);
  return value === null ? undefined : decodeRecord(kind, value);
}

/** Reads many keys, in order; undefined where there is nothing. */
export async function getRecords<Record extends object>(
  store: Store,
  kind: Kind<Record>,
  recordKeys: readonly Deno.KvKey[],
): Promise<(Record | undefined)[]> {
  const entries = await getEntries(store, recordKeys);
  return entries.map(({ value }) => value === null ? undefined : decodeRecord(kind, value));
}

export async function getEntries(
  store: Store,
  entryKeys: readonly Deno.KvKey[],
): Promise<Deno.KvEntryMaybe<unknown>[]> {
  const reads: Promise<Deno.KvEntryMaybe<unknown>[]>[] = [];
  for (let start = 0; start < entryKeys.length; start += keysReadMax) {
    reads.push(store.kv.getMany(entryKeys.slice(start, start + keysReadMax)));
  }
  return (await Promise.all(reads)).flat();
}

export async function listRecords<Record extends object>(
  store: Store,
  kind: Kind<Record>,
  prefix: Deno.KvKey,
): Promise<Record[]> {
  const records: Record[] = [];
  for await (const { value } of store.kv.list({ prefix }, { batchSize: 500 })) {
    records.push(decodeRecord(kind, value));
  }
  return records;
}

/**
 * Reads, lets `change` add to a commit that checks that nobody wrote in between, and tries again
 * where somebody did. Undefined when there is no such record.
 */
export async function changeRecord<Record extends object, Result>(
  store: Store,
  { kind, key }: { readonly kind: Kind<Record>; readonly key: Deno.KvKey },
  change: (current: Record, operation: Deno.AtomicOperation) => Result | Promise<Result>,
): Promise<Result | undefined> {
  for (let attempt = 0; attempt < updateAttemptsMax; attempt++) {
    const entry = await store.kv.get(key);
    if (entry.value === null) return undefined;
    const operation = store.kv.atomic().check(entry);
    const result = await change(decodeRecord(kind, entry.value), operation);
    if (await store.commitChange(operation)) return result;
    await pause(Math.random() * attempt);
  }
  throw conflict(kind.name);
}

export function conflict(name: string): StoreError {
  return new StoreError("conflict", `Cannot change ${name}: others keep changing it, try again`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
