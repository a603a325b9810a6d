/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { DatabaseSync } from "node:sqlite";

/** Copies a database in a thread of its own, so that the caller can report the progress. */
self.onmessage = ({ data }: MessageEvent<{ readonly from: string; readonly to: string }>) => {
  try {
    copyDatabase(data.from, data.to);
    self.postMessage(null);
  } catch (error) {
    self.postMessage(error instanceof Error ? error.message : String(error));
  }
};

/** Time that the copy waits for a lock, such as that of a recovery after a crash. */
const lockWaitMs = 30_000;

/**
 * Copies a database, which other processes may write meanwhile, to an empty file: everything that
 * was committed before the copy began, and nothing that was committed later. Leaves out deleted
 * values. Blocks the thread. Throws SQLite's error, also for damage in the copy.
 */
function copyDatabase(from: string, to: string): void {
  const source = new DatabaseSync(from, { readOnly: true, timeout: lockWaitMs });
  try {
    source.prepare("VACUUM INTO ?").run(to);
  } finally {
    source.close();
  }
  assertSound(to);
}

/** Unlike a quick check, this one also compares the indexes with the rows. */
function assertSound(path: string): void {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    const [found] = copy.prepare("PRAGMA integrity_check(1)").all();
    if (found?.integrity_check !== "ok") throw new Error("database disk image is malformed");
  } finally {
    copy.close();
  }
}
