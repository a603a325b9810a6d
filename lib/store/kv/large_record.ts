import { Buffer } from "node:buffer";
import { deserialize, serialize } from "node:v8";
import { StoreError } from "./error.ts";
import { chunkNames, cut } from "./chunks.ts";
import { getEntries } from "./entries.ts";
import { keys } from "../keys.ts";
import type { Store } from "./store.ts";

/** A key and what is stored there: null where there is nothing. */
export interface Stored {
  readonly key: Deno.KvKey;
  readonly value: unknown;
}

/**
 * The value at the key of a record that is too large for one value. It has no version, so that
 * earlier releases refuse it.
 */
interface Head {
  readonly elsewhere: PartsLocation;
}

/** The location of a record's parts. */
interface PartsLocation {
  /** Unique in the store. */
  readonly id: string;
  readonly bytes: number;
}

/** Of the 64 KiB that a value may have, less what frames it. */
const inlineBytesMax = 60_000;
/** Of the 800 KiB that a commit may have, with room for what is written along. */
const recordBytesMax = 700_000;

/**
 * Adds the writing of a record to a commit, in as many values as it takes. Each writing has its own
 * values beside the head, and what was there before goes in the same commit: readers see all of one
 * writing or none of it. Throws `too_large`.
 */
export function setValue(
  operation: Deno.AtomicOperation,
  { key, value: former }: Stored,
  record: object,
): Deno.AtomicOperation {
  const bytes = serialize(record);
  removeParts(operation, former);
  if (bytes.length <= inlineBytesMax) return operation.set(key, record);
  if (bytes.length > recordBytesMax) throw tooLarge(key, bytes.length);
  const elsewhere = { id: crypto.randomUUID(), bytes: bytes.length };
  const chunks = cut(new Uint8Array(bytes));
  for (const [at, partKey] of partKeys(elsewhere).entries()) operation.set(partKey, chunks[at]);
  return operation.set(key, { elsewhere } satisfies Head);
}

/** Adds the removal of a record, with all of its values, to a commit. */
export function deleteValue(
  operation: Deno.AtomicOperation,
  { key, value }: Stored,
): Deno.AtomicOperation {
  removeParts(operation, value);
  return operation.delete(key);
}

/** Reads whole records, in order; undefined for one that somebody replaced meanwhile. */
export async function wholeValues(
  store: Store,
  values: readonly unknown[],
): Promise<readonly unknown[]> {
  const heads = values.filter(isHead);
  if (heads.length === 0) return values;
  const parts = await readParts(store, heads.map(({ elsewhere }) => elsewhere));
  const found = new Map(heads.map((head, at) => [head, parts[at]]));
  return values.map((value) => {
    if (!isHead(value)) return value;
    const bytes = found.get(value);
    return bytes && deserialize(bytes);
  });
}

/** Returns each record's bytes, in order; undefined where a part is missing. */
async function readParts(
  store: Store,
  locations: readonly PartsLocation[],
): Promise<(Uint8Array | undefined)[]> {
  const wanted = locations.map(partKeys);
  const entries = await getEntries(store, wanted.flat());
  let at = 0;
  return wanted.map(({ length }) => {
    const values = entries.slice(at, at += length).map(({ value }) => value);
    return values.includes(null) ? undefined : Buffer.concat(values as Uint8Array[]); // only setValue writes them
  });
}

function partKeys({ id, bytes }: PartsLocation): Deno.KvKey[] {
  return chunkNames(bytes).map((name) => keys.recordPart(id, name));
}

function removeParts(operation: Deno.AtomicOperation, former: unknown): void {
  if (!isHead(former)) return;
  for (const key of partKeys(former.elsewhere)) operation.delete(key);
}

function isHead(value: unknown): value is Head {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "elsewhere");
}

function tooLarge(key: Deno.KvKey, bytes: number): StoreError {
  const [kind, id] = key.map(String);
  const kibibytes = (count: number) => Math.ceil(count / 1024);
  return new StoreError(
    "too_large",
    `Cannot save ${kind} ${id}: it has ${kibibytes(bytes)} KiB of at most ${
      kibibytes(recordBytesMax)
    }; name fewer models, or patterns such as gpt-*`,
  );
}
