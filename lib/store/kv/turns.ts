import { Serial } from "../../serial.ts";

/**
 * Lets all isolates of a process write to a local store in turn. SQLite refuses the later one of two
 * writes that overlap, and a second attempt would follow only milliseconds later. A file beside the
 * store holds the lock; the operating system releases it when the process ends.
 */
export class Turns {
  readonly #file: Deno.FsFile;
  readonly #own = new Serial();
  #isClosed = false;

  constructor(storePath: string) {
    this.#file = Deno.openSync(`${storePath}.turn`, { create: true, write: true, mode: 0o600 });
  }

  /** Runs a write while no other write runs, here or in another isolate. */
  take<Result>(write: () => Promise<Result>): Promise<Result> {
    return this.#own.run(async () => {
      if (!this.#file.tryLockSync(true)) await this.#file.lock(true);
      try {
        return await write();
      } finally {
        if (!this.#isClosed) this.#file.unlockSync();
      }
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#file.close();
  }
}

/** Makes a local database write in turn with the other isolates of its process. */
export function kvInTurn(kv: Deno.Kv, turns: Turns): Deno.Kv {
  const { atomic, set, delete: remove } = kv;
  const writing = <Result>(write: () => Promise<Result>) =>
    turns.take(() => retryWhileLocked(write));
  return Object.assign(kv, {
    atomic: () => {
      const operation = atomic.call(kv);
      const { commit } = operation;
      return Object.assign(operation, { commit: () => writing(() => commit.call(operation)) });
    },
    set: (...args: Parameters<Deno.Kv["set"]>) => writing(() => set.apply(kv, args)),
    delete: (...args: Parameters<Deno.Kv["delete"]>) => writing(() => remove.apply(kv, args)),
  });
}

/** About five seconds in all; another writer holds the file's lock for milliseconds. */
const attemptsMax = 40;
const pauseMsMax = 250;

/**
 * Retries the opening of a database, which sets up its file, or a write while its file is locked
 * nevertheless, as by the runtime's own deletion of expired values. A write that fails for the lock
 * has written nothing.
 */
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
