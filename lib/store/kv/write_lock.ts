import { Serial } from "../../serial.ts";
import { giveStoreTo, ownerOfStore } from "../file/store_files.ts";

/** The longest wait for the writes of other isolates; afterwards, SQLite decides. */
const waitMs = 20;
const pollMs = 1;

/**
 * Lets one isolate of a process write to a local store at a time: SQLite refuses the second of two
 * transactions that overlap. The lock only saves time. A write that waits too long for it, as for an
 * isolate with other work, starts without it.
 */
export class WriteLock {
  readonly #storePath: string;
  readonly #waitMs: number;
  readonly #own = new Serial();
  #file: Deno.FsFile | undefined;
  #isClosed = false;

  constructor(storePath: string, longestWaitMs = waitMs) {
    this.#storePath = storePath;
    this.#waitMs = longestWaitMs;
  }

  /** Runs a write of this isolate, after those before it. */
  hold<Result>(write: () => Promise<Result>): Promise<Result> {
    return this.#own.run(async () => {
      const isLocked = await this.#lock(this.#file ??= openLock(this.#storePath));
      try {
        return await write();
      } finally {
        if (isLocked && !this.#isClosed) this.#file.unlockSync();
      }
    });
  }

  /** Returns false if another isolate keeps the lock for too long. */
  async #lock(file: Deno.FsFile): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < this.#waitMs; waitedMs += pollMs) {
      if (file.tryLockSync(true)) return true;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    return false;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#file?.close();
  }
}

/** Opens the file at the first write, so that reading a store creates none. */
function openLock(storePath: string): Deno.FsFile {
  const path = `${storePath}.write-lock`;
  const file = Deno.openSync(path, { create: true, write: true, mode: 0o600 });
  giveStoreTo(storePath, ownerOfStore(storePath)); // root may run a task before the gateway
  return file;
}

/** About five seconds in all; another writer holds the file's lock for milliseconds. */
const attemptsMax = 40;
const pauseMsMax = 250;

/**
 * Retries the opening of a database, which sets up its file, and a write. Another writer can still
 * lock the file, such as the runtime's deletion of expired values. A write that fails for the lock
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
