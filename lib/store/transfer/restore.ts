import { dirname } from "node:path";
import { fileError, isEmptyFile } from "../file/store_file.ts";
import {
  giveStoreTo,
  makePrivate,
  ownerOfStore,
  sideEndings,
  storeFiles,
} from "../file/store_files.ts";
import { StoreHealth } from "../file/store_health.ts";
import { StoreError } from "../kv/error.ts";
import { lockStore } from "../kv/lock.ts";
import { removeIfThere } from "./draft.ts";
import { snapshotStore, syncFolder } from "./snapshot.ts";

interface RestoreOptions {
  /** The backup. It is only read. */
  readonly from: string;
  readonly nowMs: number;
  /** Examines the copy beside the store before it takes the store's place. Prevents that by throwing. */
  readonly verify: (copy: string) => Promise<void>;
  readonly progress?: (share: number) => void;
}

/**
 * Replaces a local store by a backup and keeps the former files beside it. Returns the path of the
 * former store; undefined if there was none. An interruption before the end leaves the former store
 * in place, or beside it under its new name. Throws `StoreError` with `locked` while a gateway uses
 * the store, and those of `snapshotStore`.
 */
export async function restoreStore(
  path: string,
  options: RestoreOptions,
): Promise<string | undefined> {
  try {
    Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const lock = await lockStore(path);
    try {
      const former = await restoreLocked(path, options);
      lock.noteStore();
      return former;
    } finally {
      lock.release();
    }
  } catch (error) {
    throw fileError(error, path, new StoreHealth(path));
  }
}

async function restoreLocked(
  path: string,
  { from, nowMs, verify, progress }: RestoreOptions,
): Promise<string | undefined> {
  const copy = `${path}.restoring`;
  const parts = storeFiles(copy);
  if (isEmptyFile(from)) {
    throw new StoreError("not_found", `Cannot restore ${from}: the file is missing or empty`);
  }
  try {
    for (const part of parts) removeIfThere(part); // of an interrupted restore
    await snapshotStore(from, { target: copy, progress });
    await verify(copy);
    const owner = ownerOfStore(path);
    const former = keepFormer(path, nowMs);
    Deno.renameSync(copy, path);
    syncFolder(path);
    makePrivate(path);
    giveStoreTo(path, owner);
    return former;
  } finally {
    for (const part of parts) removeIfThere(part);
  }
}

/**
 * Renames the store's files; an empty file is not kept. The database comes first: if this is
 * interrupted, the next start finds no store, instead of one without its latest commits.
 */
function keepFormer(path: string, nowMs: number): string | undefined {
  const former = `${path}.before-restore-${new Date(nowMs).toISOString().replaceAll(":", "-")}`;
  const hasFormer = !isEmptyFile(path);
  for (const ending of hasFormer ? ["", ...sideEndings] : sideEndings) {
    renameIfThere(path + ending, former + ending);
  }
  return hasFormer ? former : undefined;
}

function renameIfThere(from: string, to: string): void {
  try {
    Deno.renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
