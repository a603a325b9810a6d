import { basename, dirname, join } from "node:path";
import type { Config } from "../../lib/config.ts";
import { openStore } from "../../lib/store/mod.ts";
import {
  exportLines,
  exportSteadily,
  fileEntries,
  readLines,
  withLineFeeds,
  writeLines,
} from "../../lib/store/transfer/mod.ts";

const dayMs = 86_400_000;
/** The header and the footer. */
const linesAround = 2;

/**
 * Exports the configured store to a file, or to standard output for `-`. The file takes its name
 * once it is complete. Returns the number of entries. Throws `StoreError`.
 */
export async function exportStore(config: Config, target: string): Promise<number> {
  const isStreamed = target === "-" && config.store.type === "file";
  if (isStreamed) return await exportTo(config, target);
  const folder = target === "-" ? await Deno.makeTempDir() : dirname(target);
  const draft = join(folder, `.${crypto.randomUUID()}.${basename(target)}`);
  try {
    const entries = await exportTo(config, draft);
    if (target === "-") await writeLines(target, withLineFeeds(readLines(draft)));
    else await Deno.rename(draft, target);
    return entries;
  } finally {
    await Deno.remove(target === "-" ? folder : draft, { recursive: true }).catch(() => {}); // renamed
  }
}

/** Reads a file's store of one moment in one go; a server's may take several readings. */
async function exportTo(config: Config, target: string): Promise<number> {
  const { store: location, secret, limits, logRetentionMs } = config;
  const nowMs = Date.now();
  if (location.type === "file") {
    const lines = exportLines(fileEntries(location.path, { nowMs }), nowMs);
    return await writeLines(target, lines) - linesAround;
  }
  const store = await openStore({ location, secret, logRetentionMs, isAudited: true });
  try {
    return await exportSteadily(store, {
      nowMs,
      responseRetentionMs: limits.responseRetentionDays * dayMs,
      write: (lines) => writeLines(target, lines),
    }) - linesAround;
  } finally {
    store.close();
  }
}
