import { dirname } from "node:path";
import { storeFaultOf, storeFaults } from "../file/store_fault.ts";
import { isEmptyFile, missingFile } from "../file/store_file.ts";
import { StoreError } from "../kv/error.ts";
import { draftFor, removedAtEnd } from "./draft.ts";
import { assertStoreFile } from "./file_entries.ts";

interface SnapshotOptions {
  /** The file to write; an existing one is replaced once the copy is complete. */
  readonly target: string;
  /** Receives the copied share, from 0 to 1, several times a second. */
  readonly progress?: (share: number) => void;
}

/**
 * Copies the file of a store, which a gateway may be using, to one checked file that only its owner
 * may read. The copy is of one moment after the call. Returns its size in bytes. Throws `StoreError`: `not_found` for a missing or empty file, otherwise `unreadable`.
 */
export async function snapshotStore(path: string, options: SnapshotOptions): Promise<number> {
  if (isEmptyFile(path)) throw missingFile(path);
  const { target, progress } = options;
  try {
    const draft = draftFor(target);
    Deno.openSync(draft, { write: true, createNew: true, mode: 0o600 }).close();
    using _ = removedAtEnd(draft, `${draft}-journal`);
    await copyInWorker(path, { target: draft, progress });
    assertStoreFile(draft, path);
    syncFile(draft);
    Deno.renameSync(draft, target);
    syncFolder(target);
    return Deno.statSync(target).size;
  } catch (error) {
    throw copyError(error, path, target);
  }
}

const progressEveryMs = 250;

async function copyInWorker(
  from: string,
  { target: to, progress = () => {} }: SnapshotOptions,
): Promise<void> {
  const worker = new Worker(new URL("./copy_worker.ts", import.meta.url), { type: "module" });
  const bytes = Deno.statSync(from).size;
  const timer = setInterval(
    () => progress(Math.min(1, Deno.statSync(to).size / bytes)),
    progressEveryMs,
  );
  try {
    const { promise, resolve, reject } = Promise.withResolvers<string | null>();
    worker.onmessage = ({ data }: MessageEvent<string | null>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    worker.postMessage({ from, to });
    const fault = await promise;
    if (fault !== null) throw new Error(fault);
  } finally {
    clearInterval(timer);
    worker.terminate();
  }
}

function copyError(error: unknown, path: string, target: string): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const [ofDraft] = /^[^:]*\(os error \d+\)(?=: \w+ ')/.exec(error.message) ?? [];
  if (ofDraft !== undefined && error.message.includes(`'${target}.`)) {
    return new StoreError("unreadable", `Cannot write ${target}: ${ofDraft}`, { cause: error });
  }
  const reason = reasonOf(error, target);
  if (reason === undefined) return error;
  return new StoreError("unreadable", `Cannot copy ${path}: ${reason}`, { cause: error });
}

/** Undefined for an error that is neither of the files nor of their disks. */
function reasonOf(error: Error, target: string): string | undefined {
  const fault = storeFaultOf(error);
  switch (fault) {
    case "full":
      return `the disk of ${target} is full. Free space on it`;
    case "corrupted":
      return "it is damaged, or is not a store. Use another backup";
    case undefined:
      return /os error/.test(error.message) ? error.message : undefined;
    default:
      return `${storeFaults[fault].what}. ${storeFaults[fault].remedy}`;
  }
}

function syncFile(path: string): void {
  using file = Deno.openSync(path, { read: true, write: true });
  file.syncSync();
}

/** Makes a rename durable. Windows cannot open folders, and needs no such step. */
export function syncFolder(path: string): void {
  if (Deno.build.os === "windows") return;
  using folder = Deno.openSync(dirname(path));
  folder.syncSync();
}
