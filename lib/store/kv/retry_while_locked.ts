/** About five seconds in all; another writer holds the file's lock for milliseconds. */
const attemptsMax = 40;
const pauseMsMax = 250;

/**
 * Makes a local database retry while another isolate locks its file. A commit that fails for the
 * lock has written nothing. Deno itself waits for locks only once the database is set up.
 */
export function retryKvWhileLocked(kv: Deno.Kv): Deno.Kv {
  const { atomic, set, delete: remove } = kv;
  return Object.assign(kv, {
    atomic: () => retryCommit(atomic.call(kv)),
    set: (...args: Parameters<Deno.Kv["set"]>) => retryWhileLocked(() => set.apply(kv, args)),
    delete: (...args: Parameters<Deno.Kv["delete"]>) =>
      retryWhileLocked(() => remove.apply(kv, args)),
  });
}

function retryCommit(operation: Deno.AtomicOperation): Deno.AtomicOperation {
  const { commit } = operation;
  return Object.assign(operation, {
    commit: () => retryWhileLocked(() => commit.call(operation)),
  });
}

/** Retries a write, or the opening of a database, which sets up its file. */
export async function retryWhileLocked<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1;; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === attemptsMax || !isLocked(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(attempt * 10, pauseMsMax)));
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /database (table )?is locked/.test(error.message);
}
