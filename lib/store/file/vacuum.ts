import { DatabaseSync } from "node:sqlite";
import { lockStore } from "../kv/lock.ts";
import { fileError, isEmptyFile, missingFile } from "./store_file.ts";
import { makePrivate } from "./store_files.ts";
import { StoreHealth } from "./store_health.ts";

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

/** The condition by which Deno KV deletes expired values of a file while it is open (Deno 2.8.2). */
const isExpired = "expiration_ms >= 0 AND expiration_ms <= ?";

/** Fewer are left to Deno KV, which deletes all of them at once when it opens the file. */
const leftToKv = 5_000;
const deletedAtOnce = 10_000;
const reportedEveryMs = 2_000;
/** A file is rewritten if this share of it is free, and it is not small. */
const freeShareMin = 0.5;
const freeBytesMin = 16 * 1024 * 1024;

/**
 * Deletes the expired values of a file that is not open yet, which has many of them after weeks
 * without a gateway, and gives their space back. Deno KV would delete them in one statement, for
 * which every commit waits. Yields to other work between batches.
 */
export async function deleteExpired(path: string, report: (line: string) => void): Promise<void> {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  try {
    const nowMs = Date.now();
    const count = isKv(database) ? countOf(database, nowMs) : 0;
    if (count <= leftToKv) return;
    database.exec("PRAGMA synchronous = NORMAL"); // an interrupted deletion goes on at the next start
    report(`Deleting ${count.toLocaleString("en")} expired records from ${path}`);
    await deleteAll(database, { nowMs, count, report });
    shrink(database, report);
  } finally {
    database.close();
  }
}

/** Returns false for a file that Deno KV has not set up. */
export function isKv(database: DatabaseSync): boolean {
  const columns = database.prepare("SELECT name FROM pragma_table_info('kv')").all();
  return columns.some(({ name }) => name === "expiration_ms");
}

function countOf(database: DatabaseSync, nowMs: number): number {
  const found = database.prepare(`SELECT count(*) AS count FROM kv WHERE ${isExpired}`).get(nowMs);
  return Number(found?.count ?? 0);
}

async function deleteAll(
  database: DatabaseSync,
  { nowMs, count, report }: {
    readonly nowMs: number;
    readonly count: number;
    readonly report: (line: string) => void;
  },
): Promise<void> {
  const some = database.prepare(
    `DELETE FROM kv WHERE k IN (SELECT k FROM kv WHERE ${isExpired} LIMIT ${deletedAtOnce})`,
  );
  let reportedAtMs = Date.now();
  for (let deleted = 0;;) {
    const changes = Number(some.run(nowMs).changes);
    if (changes === 0) return;
    deleted += changes;
    if (Date.now() - reportedAtMs >= reportedEveryMs) {
      report(`Deleted ${Math.floor(deleted / count * 100)}% of the expired records`);
      reportedAtMs = Date.now();
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** SQLite keeps the space of deleted values in the file until it is rewritten. */
function shrink(database: DatabaseSync, report: (line: string) => void): void {
  const number = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
  const [pages, freePages, pageBytes] = ["page_count", "freelist_count", "page_size"].map(number);
  if (freePages * pageBytes < freeBytesMin || freePages < pages * freeShareMin) return;
  report("Shrinking the file");
  try {
    database.exec("VACUUM");
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) { // such as no space for a copy: new records use the free pages
    report(`Cannot shrink the file: ${error instanceof Error ? error.message : error}`);
  }
}
