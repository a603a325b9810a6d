import { basename, dirname, join, resolve } from "node:path";
import { type Config, loadConfig } from "../../lib/config.ts";
import { secretPathOf, storeFiles } from "../../lib/store/file/store_files.ts";
import type { StoreLocation } from "../../lib/store/kv/open.ts";
import {
  draftFor,
  exportLines,
  exportSteadily,
  fileEntries,
  readLines,
  removedAtEnd,
  withLineFeeds,
  writeLines,
} from "../../lib/store/transfer/mod.ts";
import { type Progress, progressLine, stop, stopFor, unlessMissing, withStore } from "../task.ts";
import { secretAdvice } from "./copied_store.ts";

const dayMs = 86_400_000;
/** The header and the footer. */
const linesAround = 2;

/**
 * Exports the configured store to a file, or to standard output for `-`. The file takes its name
 * once it is complete. Returns the number of entries. Throws `StoreError`.
 */
export async function exportStore(config: Config, target: string): Promise<number> {
  using progress = progressLine("Exporting", (lines) => `${lines.toLocaleString("en")} entries`);
  if (target !== "-") {
    const draft = draftFor(target);
    using _ = removedAtEnd(draft);
    const entries = await exportTo(config, draft, progress);
    Deno.renameSync(draft, target);
    return entries;
  }
  if (config.store.type === "file") return await exportTo(config, target, progress);
  const folder = await Deno.makeTempDir();
  using _ = removedAtEnd(folder);
  const entries = await exportTo(config, join(folder, "export.jsonl"), progress);
  await writeLines(target, withLineFeeds(readLines(join(folder, "export.jsonl"))));
  return entries;
}

/** Reads a file's store of one moment in one go; a server's may take several readings. */
async function exportTo(config: Config, target: string, progress: Progress): Promise<number> {
  const { store: location, secret, limits } = config;
  const nowMs = Date.now();
  const write = (lines: AsyncIterable<string>) => writeLines(target, counted(lines, progress));
  if (location.type === "file") {
    const lines = exportLines(fileEntries(location.path, { nowMs }), nowMs);
    return await write(lines) - linesAround;
  }
  const responseRetentionMs = limits.responseRetentionDays * dayMs;
  const lines = await withStore(
    config,
    { secret, isAudited: true },
    (store) => exportSteadily(store, { nowMs, responseRetentionMs, write }),
  );
  return lines - linesAround;
}

async function* counted(lines: AsyncIterable<string>, progress: Progress): AsyncGenerator<string> {
  let count = 0;
  for await (const line of lines) {
    progress(++count);
    yield line;
  }
}

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

/**
 * `deno task export FILE [--force]`: writes everything in the store as lines of JSON, which any
 * other store can import. `-` is standard output; notices go to standard error.
 */
if (import.meta.main) {
  try {
    const config = loadConfig(Deno.env.toObject());
    const target = targetFile("export", Deno.args, config.store);
    const entries = await exportStore(config, target);
    console.error(`Exported ${entries.toLocaleString("en")} entries to ${target}`);
    console.error(secretAdvice(config));
  } catch (error) {
    stopFor(error);
  }
}
