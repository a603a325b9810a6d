import { basename, dirname, join, resolve } from "node:path";
import { secretPathOf, storeFiles } from "../../lib/store/file/store_files.ts";
import type { StoreLocation } from "../../lib/store/kv/open.ts";
import { stop } from "../task_end.ts";

/**
 * Reads `FILE [--force]`. Ends the task if they are missing, if the file belongs to the store, if
 * its folder is missing, or if it exists without `--force`.
 */
export function targetFile(
  task: string,
  [file, flag, ...more]: readonly string[],
  location: StoreLocation,
): string {
  const isWrong = file === undefined || /^-./.test(file) || more.length > 0 ||
    (flag !== undefined && flag !== "--force");
  if (isWrong) stop(`Usage: deno task ${task} FILE [--force]`);
  if (location.type === "file" && isOfStore(file, location.path)) {
    stop(`Cannot write ${file}: it belongs to the store. Name a new file for the copy`);
  }
  if (file !== "-" && !infoOf(dirname(file))) {
    stop(`Cannot write ${file}: the folder ${dirname(file)} does not exist. Create it`);
  }
  if (flag === undefined && infoOf(file)) {
    stop(`Cannot write ${file}: it exists. Choose another name, or replace it with --force`);
  }
  return file;
}

/** Returns true for the store's own files and its secret, also for those that do not exist yet. */
function isOfStore(target: string, store: string): boolean {
  const paths = new Set([resolve(store), realPathOf(store)]); // SQLite's files are beside the real one
  const owned = [...paths].flatMap((path) => [...storeFiles(path), secretPathOf(path)]);
  return owned.some((path) => isSame(path, target));
}

function isSame(one: string, other: string): boolean {
  if (realPathOf(one) === realPathOf(other)) return true;
  const [first, second] = [infoOf(one), infoOf(other)];
  return first?.ino != null && first.ino === second?.ino && first.dev === second.dev;
}

/** The path without symbolic links; of a missing file, that of its folder with its name. */
function realPathOf(path: string): string {
  const real = unlessMissing(() => Deno.realPathSync(path));
  if (real !== undefined) return real;
  const folder = dirname(resolve(path));
  return join(unlessMissing(() => Deno.realPathSync(folder)) ?? folder, basename(path));
}

function infoOf(path: string): Deno.FileInfo | undefined {
  return unlessMissing(() => Deno.lstatSync(path));
}

function unlessMissing<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
