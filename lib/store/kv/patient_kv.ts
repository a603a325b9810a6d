/** For five seconds in all: a file that others write to is theirs for milliseconds. */
const attemptsMax = 40;
const pauseMsMax = 250;

/**
 * Makes a local database wait where another isolate is writing to its file just now: a commit that
 * finds it locked has written nothing and is tried again. Deno itself waits for locks only after
 * the database has been set up.
 */
export function patientKv(kv: Deno.Kv): Deno.Kv {
  const { atomic, set, delete: remove } = kv;
  return Object.assign(kv, {
    atomic: () => patientOperation(atomic.call(kv)),
    set: (...args: Parameters<Deno.Kv["set"]>) => patiently(() => set.apply(kv, args)),
    delete: (...args: Parameters<Deno.Kv["delete"]>) => patiently(() => remove.apply(kv, args)),
  });
}

function patientOperation(operation: Deno.AtomicOperation): Deno.AtomicOperation {
  const { commit } = operation;
  return Object.assign(operation, { commit: () => patiently(() => commit.call(operation)) });
}

/** Also opening, which sets the file up. */
export async function patiently<Result>(write: () => Promise<Result>): Promise<Result> {
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
