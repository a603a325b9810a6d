import { join } from "node:path";
import type { Config } from "../../lib/config.ts";
import { openStore } from "../../lib/store/mod.ts";
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
import { type Progress, progressLine } from "./progress.ts";
import { taskWaitMs } from "./task_wait.ts";

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
  const { store: location, secret, limits, logRetentionMs } = config;
  const nowMs = Date.now();
  const write = (lines: AsyncIterable<string>) => writeLines(target, counted(lines, progress));
  if (location.type === "file") {
    const lines = exportLines(fileEntries(location.path, { nowMs }), nowMs);
    return await write(lines) - linesAround;
  }
  const waitMs = taskWaitMs(limits);
  const store = await openStore({ location, secret, logRetentionMs, waitMs, isAudited: true });
  try {
    const responseRetentionMs = limits.responseRetentionDays * dayMs;
    return await exportSteadily(store, { nowMs, responseRetentionMs, write }) - linesAround;
  } finally {
    store.close();
  }
}

async function* counted(lines: AsyncIterable<string>, progress: Progress): AsyncGenerator<string> {
  let count = 0;
  for await (const line of lines) {
    progress(++count);
    yield line;
  }
}
