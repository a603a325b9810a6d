import { DatabaseSync } from "node:sqlite";
import { fileError, isEmpty, missing } from "../file/file_error.ts";
import { lockStore } from "../kv/lock.ts";
import { makePrivate } from "../file/private_files.ts";
import { StoreHealth } from "../file/store_health.ts";

/** How large a store's file was and is. */
export interface Compaction {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Writes the file of a local store anew, without what was deleted or has expired: SQLite itself
 * leaves that in free pages. Needs as much free space as the store is large; an interruption
 * changes nothing. Throws `StoreError` with `locked` while a gateway uses it, else as `openStore`.
 */
export async function compactStore(path: string): Promise<Compaction> {
  const health = new StoreHealth(path);
  try {
    if (isEmpty(path)) throw missing(path);
    const lock = await lockStore(path);
    try {
      makePrivate(path);
      return compacted(path);
    } finally {
      lock.release();
    }
  } catch (error) {
    throw fileError(error, path, health);
  }
}

function compacted(path: string): Compaction {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const bytesBefore = Deno.statSync(path).size;
    database.prepare(expired).run(Date.now());
    database.exec("VACUUM");
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return { bytesBefore, bytesAfter: Deno.statSync(path).size };
  } finally {
    database.close();
  }
}

/** As Deno KV itself does while it is open (Deno 2.8.2). */
const expired = "DELETE FROM kv WHERE expiration_ms >= 0 AND expiration_ms <= ?";
