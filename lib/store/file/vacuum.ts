import { DatabaseSync } from "node:sqlite";
import { lockStore } from "../kv/lock.ts";
import { isExpired } from "./expired.ts";
import { fileError, isEmptyFile, missingFile } from "./file_error.ts";
import { makePrivate } from "./private_files.ts";
import { StoreHealth } from "./store_health.ts";

/** Size of a store's file before and after. */
interface FileSizes {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Rewrites the file of a local store without deleted and expired values, which SQLite keeps in free
 * pages. Needs free space of the store's size; an interruption changes nothing. Throws `StoreError`
 * with `locked` while a gateway uses the store; other errors are those of `openStore`.
 */
export async function vacuumStore(path: string): Promise<FileSizes> {
  const health = new StoreHealth(path);
  try {
    if (isEmptyFile(path)) throw missingFile(path);
    const lock = await lockStore(path);
    try {
      makePrivate(path);
      return vacuum(path);
    } finally {
      lock.release();
    }
  } catch (error) {
    throw fileError(error, path, health);
  }
}

function vacuum(path: string): FileSizes {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const bytesBefore = Deno.statSync(path).size;
    database.prepare(`DELETE FROM kv WHERE ${isExpired}`).run(Date.now());
    database.exec("VACUUM");
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return { bytesBefore, bytesAfter: Deno.statSync(path).size };
  } finally {
    database.close();
  }
}
