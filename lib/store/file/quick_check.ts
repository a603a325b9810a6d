import { DatabaseSync } from "node:sqlite";

/**
 * Returns true if the structure of a store's file is sound. Reads all of it and blocks the thread
 * meanwhile. Safe beside an open store: both use the same SQLite, which knows its own locks.
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
