import { DatabaseSync } from "node:sqlite";

/** The result of a check; `failure` is the message of what was thrown. */
export interface QuickCheckResult {
  readonly isSound?: boolean;
  readonly failure?: string;
}

/**
 * Returns true if the structure of a store's file is sound. Reads the whole file and blocks the
 * thread meanwhile. Safe while the store is open, because both use the same SQLite library, which
 * knows its own locks.
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
