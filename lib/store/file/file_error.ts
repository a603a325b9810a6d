import { StoreError } from "../kv/error.ts";
import { storeFaultOf } from "./store_fault.ts";
import type { StoreHealth } from "./store_health.ts";

/** Returns true if a file is missing or empty, in which case SQLite would create a new database. */
export function isEmptyFile(path: string): boolean {
  try {
    return Deno.statSync(path).size === 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    throw error;
  }
}

/** The error for a file that is missing or empty, which depends on a store having been there. */
export function missingFile(path: string): StoreError {
  if (isEmptyFile(`${path}.lock`)) {
    return new StoreError(
      "not_found",
      `No store at ${path}. Set TESSERA_KV to the gateway's store`,
    );
  }
  return new StoreError(
    "not_found",
    `Cannot open the store ${path}: the file is missing or empty. Restore it from a backup with \`deno task restore FILE\`, or check ` +
      `TESSERA_KV and the disk's mount. To start with an empty store, delete ${path}.lock`,
  );
}

/** Converts errors of the file or its folder to one line; returns any other error unchanged. */
export function fileError(error: unknown, path: string, health: StoreHealth): unknown {
  if (error instanceof StoreError) return error;
  const fault = storeFaultOf(error);
  if (fault) return health.error(fault, error);
  if (!(error instanceof Error) || !/os error/.test(error.message)) return error;
  return new StoreError(
    "unreadable",
    `Cannot open the store ${path}: ${error.message}. TESSERA_KV names a file in a folder that the gateway may write`,
    { cause: error },
  );
}
