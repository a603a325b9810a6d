import { DatabaseSync } from "node:sqlite";

/**
 * Whether the structure of a local store's file is sound. Reads all of it, and holds up the thread
 * meanwhile. Beside an open store it is safe: both go through one SQLite, which knows its own locks.
 */
export function isSound(path: string): boolean {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const [found] = database.prepare("PRAGMA quick_check(1)").all();
    return found?.quick_check === "ok";
  } finally {
    database.close();
  }
}
