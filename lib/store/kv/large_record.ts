import { Buffer } from "node:buffer";
import { keys } from "../keys.ts";
import { chunkNames, inChunks } from "./chunks.ts";
import type { AtomicOperation } from "./database.ts";
import { readInBatches } from "./engine.ts";
import { StoreError } from "./error.ts";
import type { Store } from "./store.ts";
import { decodeValue, encodeValue } from "./value.ts";

/** A key and its stored value; null if there is none. */
export interface StoredEntry {
  readonly key: Deno.KvKey;
  readonly value: unknown;
}

/** The value at the key of a record that is too large for one value. */
interface Head {
  readonly elsewhere: PartsLocation;
}

/** The location of a record's parts. */
interface PartsLocation {
  /** Unique in the store. */
  readonly id: string;
  readonly bytes: number;
}

/** Derived from the 64 KiB of a value, with room for framing. */
const inlineBytesMax = 60_000;
/** Derived from the 800 KiB of a commit, with room for other writes. */
const recordBytesMax = 700_000;

/**
 * Adds the writing of a record to a commit, in as many values as needed. Each write uses new values
 * beside the head and deletes the former ones in the same commit, so readers see all of one write
 * or none of it. Throws `too_large`.
 */
export function setValue(
  operation: AtomicOperation,
  { key, value: former }: StoredEntry,
  record: object,
): AtomicOperation {
  const bytes = encodeValue(record);
  removeParts(operation, former);
  if (bytes.length <= inlineBytesMax) return operation.set(key, record);
  if (bytes.length > recordBytesMax) throw tooLarge(key, bytes.length);
  const elsewhere = { id: crypto.randomUUID(), bytes: bytes.length };
  const chunks = inChunks(bytes);
  for (const [at, partKey] of partKeys(elsewhere).entries()) operation.set(partKey, chunks[at]);
  return operation.set(key, { elsewhere } satisfies Head);
}

/** Adds the deletion of a record, with all of its values, to a commit. */
export function deleteValue(
  operation: AtomicOperation,
  { key, value }: StoredEntry,
): AtomicOperation {
  removeParts(operation, value);
  return operation.delete(key);
}

/** Returns true for the head of a large record, whose other values are elsewhere. */
function isHead(value: unknown): value is Head {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "elsewhere");
}

/** Reads whole records, in order; undefined for a record that was replaced meanwhile. */
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
    return bytes && decodeValue(bytes);
  });
}

/** Reads each record's bytes, in order; undefined if a part is missing. */
async function readParts(
  store: Store,
  locations: readonly PartsLocation[],
): Promise<(Uint8Array | undefined)[]> {
  const wanted = locations.map(partKeys);
  const entries = await readInBatches(store.kv, wanted.flat());
  let at = 0;
  return wanted.map(({ length }) => {
    const values = entries.slice(at, at += length).map(({ value }) => value);
    return values.includes(null) ? undefined : Buffer.concat(values as Uint8Array[]); // only setValue writes them
  });
}

function partKeys({ id, bytes }: PartsLocation): Deno.KvKey[] {
  return chunkNames(bytes).map((name) => keys.recordPart(id, name));
}

function removeParts(operation: AtomicOperation, former: unknown): void {
  if (!isHead(former)) return;
  for (const key of partKeys(former.elsewhere)) operation.delete(key);
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
