import { DatabaseSync } from "node:sqlite";
import { isKv } from "../file/expired.ts";
import { keys } from "../keys.ts";
import { StoreError } from "../kv/error.ts";
import { assertStoreFormat, ofInterruptedImport } from "../kv/format.ts";
import { encodeKey } from "../kv/key_codec.ts";

/** Checks that a file is a store of this format; `where` names it for the operator. Throws `unreadable`. */
export function assertStoreFile(path: string, where: string): void {
  using database = new DatabaseSync(path, { readOnly: true });
  assertReadableFile(database, where);
}

/** Throws `unreadable` for another format, and for a database that is not a store. */
export function assertReadableFile(database: DatabaseSync, where: string): void {
  if (!isKv(database)) throw notKv(where);
  const value = storedBytes(database, keys.format);
  assertStoreFormat(
    value ? new DataView(value.buffer, value.byteOffset).getBigUint64(0, true) : 0n,
    where,
  );
}

/** Refuses a store with a part of an import. Throws `unreadable`. */
export function assertWhole(database: DatabaseSync, where: string): void {
  if (storedBytes(database, keys.importing) !== undefined) throw ofInterruptedImport(where);
}

function storedBytes(database: DatabaseSync, key: readonly string[]): Uint8Array | undefined {
  const found = database.prepare("SELECT v FROM kv WHERE k = ?").get(encodeKey(key));
  return found?.v instanceof Uint8Array ? found.v : undefined;
}

function notKv(where: string): StoreError {
  return new StoreError("unreadable", `Cannot read ${where}: the file is not a store of Tessera`);
}
