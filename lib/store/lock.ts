import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { StoreError } from "./error.ts";

/** What stands in the lock file: which process holds the lock, and which of its starts. */
interface Holder {
  readonly pid: number;
  /** Tells processes apart that have the same pid in different containers or on different hosts. */
  readonly place: string;
  readonly runId: string;
}

export interface Lock {
  /** The same in every isolate of this process, new at each start. */
  readonly runId: string;
  release(): void;
}

/** For 0.3 s: a process that is being replaced may have just died, or another may be starting. */
const attemptsMax = 15;
const attemptPauseMs = 20;

/**
 * Locks a store for this process. The first isolate takes the file's lock alone, writes who it is
 * and then shares it; later isolates of the same process share it too, and any other process finds
 * it taken. The operating system releases it when the process ends, however it ends.
 */
export async function lockStore(storePath: string): Promise<Lock> {
  const file = Deno.openSync(`${storePath}.lock`, { create: true, read: true, write: true });
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const runId = tryLock(file);
    if (runId !== undefined) return { runId, release: () => file.close() };
    await new Promise((resolve) => setTimeout(resolve, attemptPauseMs));
  }
  const holder = readHolder(file);
  file.close();
  throw lockedBy(storePath, holder);
}

function tryLock(file: Deno.FsFile): string | undefined {
  if (file.tryLockSync(true)) {
    writeHolder(file, { pid: Deno.pid, place: place(), runId: crypto.randomUUID() });
    file.unlockSync();
  }
  if (!file.tryLockSync(false)) return undefined;
  // Another process may have come between the two locks: then its name stands there, not ours.
  const holder = readHolder(file);
  if (holder !== undefined && isThisProcess(holder)) return holder.runId;
  file.unlockSync();
  return undefined;
}

function writeHolder(file: Deno.FsFile, holder: Holder): void {
  file.truncateSync();
  file.seekSync(0, Deno.SeekMode.Start);
  file.writeSync(new TextEncoder().encode(JSON.stringify(holder)));
}

/** Undefined where the file is empty or cannot be read, as on Windows while another process is writing. */
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

function lockedBy(storePath: string, holder?: Holder): StoreError {
  const who = holder === undefined ? "another process" : `process ${holder.pid}`;
  return new StoreError(
    "locked",
    `Cannot open the store ${storePath}: ${who} already uses it; stop it, or point both at a denokv server with TESSERA_KV=https://…`,
  );
}
