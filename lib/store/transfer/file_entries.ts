import { DatabaseSync } from "node:sqlite";
import { fileError, isEmptyFile, missingFile } from "../file/store_file.ts";
import { StoreHealth } from "../file/store_health.ts";
import { isKv } from "../file/vacuum.ts";
import { keys } from "../keys.ts";
import { StoreError } from "../kv/error.ts";
import { assertStoreFormat, ofInterruptedImport } from "../kv/format.ts";
import { decodeKey, encodeKey } from "../kv/key_codec.ts";
import type { PortableEntry } from "./entry_line.ts";

/** The encodings of values in Deno KV's files. A third one, V8's, is not used. */
const encodings = { sum: 2, bytes: 3 } as const;

interface EntryRow {
  readonly k: Uint8Array;
  readonly v: Uint8Array;
  readonly v_encoding: number;
  readonly expiration_ms: number;
}

/**
 * Yields the entries of a store's file in the order of their keys, as of one moment, while a gateway
 * may be using it. `prefix` is the first part of their keys; without it, all are read. Leaves out
 * expired ones. Throws `StoreError` for a missing file, another format, and a part of an import.
 */
export function* fileEntries(
  path: string,
  { nowMs, prefix }: { readonly nowMs: number; readonly prefix?: string },
): Generator<PortableEntry> {
  try {
    if (isEmptyFile(path)) throw missingFile(path);
    using database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    assertReadableFile(database, path);
    assertWhole(database, path);
    const [first, last] = prefix === undefined ? [none, past] : rangeOf(prefix);
    const rows = database.prepare(select).iterate(first, last, nowMs);
    for (const row of rows) yield entryIn(row as unknown as EntryRow); // the columns of `select`
  } catch (error) {
    throw fileError(error, path, new StoreHealth(path));
  }
}

const select = "SELECT k, v, v_encoding, expiration_ms FROM kv WHERE k >= ? AND k < ? " +
  "AND (expiration_ms < 0 OR expiration_ms > ?) ORDER BY k";
const none = new Uint8Array();
const past = Uint8Array.of(0xff);

function rangeOf(prefix: string): [Uint8Array, Uint8Array] {
  const first = encodeKey([prefix]);
  return [first, Uint8Array.from([...first, 0xff])];
}

function entryIn({ k, v, v_encoding, expiration_ms }: EntryRow): PortableEntry {
  return {
    key: decodeKey(k),
    value: v_encoding === encodings.sum ? new Deno.KvU64(sumIn(v)) : v,
    ...(expiration_ms >= 0 && { expiresAtMs: expiration_ms }),
  };
}

function sumIn(bytes: Uint8Array): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
}

/** Checks that a file is a store of this format; `where` names it for the operator. Throws `unreadable`. */
export function assertStoreFile(path: string, where: string): void {
  using database = new DatabaseSync(path, { readOnly: true });
  assertReadableFile(database, where);
}

/** Throws `unreadable` for another format, and for a database that is not a store. */
function assertReadableFile(database: DatabaseSync, where: string): void {
  if (!isKv(database)) throw notKv(where);
  const value = storedBytes(database, keys.format);
  assertStoreFormat(
    value ? new DataView(value.buffer, value.byteOffset).getBigUint64(0, true) : 0n,
    where,
  );
}

/** Refuses a store with a part of an import. Throws `unreadable`. */
function assertWhole(database: DatabaseSync, where: string): void {
  if (storedBytes(database, keys.importing) !== undefined) throw ofInterruptedImport(where);
}

function storedBytes(database: DatabaseSync, key: readonly string[]): Uint8Array | undefined {
  const found = database.prepare("SELECT v FROM kv WHERE k = ?").get(encodeKey(key));
  return found?.v instanceof Uint8Array ? found.v : undefined;
}

function notKv(where: string): StoreError {
  return new StoreError("unreadable", `Cannot read ${where}: the file is not a store of Tessera`);
}
