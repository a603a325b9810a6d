import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { StoreLocked } from "./error.ts";

/** The content of the lock file: the process that holds the lock, and its start. */
interface Holder {
  readonly pid: number;
  /** Distinguishes processes with the same pid in different containers or on different hosts. */
  readonly place: string;
  readonly runId: string;
  /**
   * Set once a store was opened here. If the store is missing later, it was lost, and must not be
   * replaced by a new one.
   */
  readonly hasStore?: boolean;
  /** True while its first isolate prepares the store; the others wait. */
  readonly isPreparing?: boolean;
}

export interface Lock {
  /** The same in every isolate of this process, new at each start. */
  readonly runId: string;
  /** True if an earlier process had opened a store here. */
  readonly hadStore: boolean;
  /** Prepares the store in the first isolate of a process; the others wait until it is done. */
  prepare(work: () => Promise<void>): Promise<void>;
  /** Notes for later starts that a store was opened. */
  noteStore(): void;
  release(): void;
}

/**
 * Retries for 0.3 s in all: the former process may have just died, or another one may be starting.
 */
const attemptsMax = 15;
const attemptPauseMs = 20;

/**
 * Locks a store for this process. The first isolate locks the file exclusively, writes the holder
 * and then shares the lock; later isolates of the same process share it too, and any other process
 * finds it taken. The operating system releases it when the process ends, for whatever reason.
 */
export async function lockStore(storePath: string): Promise<Lock> {
  const file = Deno.openSync(`${storePath}.lock`, {
    create: true,
    read: true,
    write: true,
    mode: 0o600,
  });
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const taken = tryLock(file);
    if (taken) return lockOf(file, taken.holder, taken.isFirst);
    await new Promise((resolve) => setTimeout(resolve, attemptPauseMs));
  }
  const holder = readHolder(file);
  file.close();
  throw lockedBy(storePath, holder);
}

/** Returns the process that uses a store; undefined if none does. Takes the lock for an instant. */
export function lockHolder(storePath: string): { readonly pid?: number } | undefined {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(`${storePath}.lock`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  try {
    return file.tryLockSync(true) ? undefined : { pid: readHolder(file)?.pid };
  } finally {
    file.close();
  }
}

function lockOf(
  file: Deno.FsFile,
  { isPreparing: _, ...holder }: Holder,
  isFirst: boolean,
): Lock {
  const { runId, hasStore = false } = holder;
  return {
    prepare: async (work) => {
      if (isFirst) await work().finally(() => writeHolder(file, holder));
      else await prepared(file);
    },
    runId,
    hadStore: hasStore,
    noteStore: () => void (hasStore || writeHolder(file, { ...holder, hasStore: true })),
    release: () => file.close(),
  };
}

const preparedPollMs = 50;

async function prepared(file: Deno.FsFile): Promise<void> {
  while (readHolder(file)?.isPreparing) {
    await new Promise((resolve) => setTimeout(resolve, preparedPollMs));
  }
}

interface Taken {
  readonly holder: Holder;
  /** True for the first isolate of its process. */
  readonly isFirst: boolean;
}

function tryLock(file: Deno.FsFile): Taken | undefined {
  const isFirst = file.tryLockSync(true);
  if (isFirst) {
    const hasStore = readHolder(file)?.hasStore ?? false;
    const own = { pid: Deno.pid, place: place(), runId: crypto.randomUUID() };
    writeHolder(file, { ...own, hasStore, isPreparing: true });
    file.unlockSync();
  }
  if (!file.tryLockSync(false)) return undefined;
  // Another process may have taken the lock in between; then the file holds its name.
  const holder = readHolder(file);
  if (holder !== undefined && isThisProcess(holder)) return { holder, isFirst };
  file.unlockSync();
  return undefined;
}

function writeHolder(file: Deno.FsFile, holder: Holder): void {
  const text = new TextEncoder().encode(JSON.stringify(holder));
  file.seekSync(0, Deno.SeekMode.Start);
  file.writeSync(text); // overwrites in place, because a full disk has no room for more
  file.truncateSync(text.length);
}

/**
 * Returns undefined if the file is empty or unreadable, as on Windows while another process writes
 * it.
 */
function readHolder(file: Deno.FsFile): Holder | undefined {
  try {
    file.seekSync(0, Deno.SeekMode.Start);
    const bytes = new Uint8Array(1024);
    const length = file.readSync(bytes) ?? 0;
    return JSON.parse(new TextDecoder().decode(bytes.subarray(0, length))); // only writeHolder writes it
  } catch {
    return undefined;
  }
}

function isThisProcess(holder: Holder): boolean {
  return holder.pid === Deno.pid && holder.place === place();
}

function place(): string {
  return `${hostname()} ${pidNamespace()}`;
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function lockedBy(storePath: string, holder?: Holder): StoreLocked {
  const who = holder === undefined ? "another process" : `process ${holder.pid}`;
  return new StoreLocked(
    `Cannot open the store ${storePath}: ${who} already uses it`,
    "stop it, or point both at a denokv server with TESSERA_KV=https://…",
  );
}
