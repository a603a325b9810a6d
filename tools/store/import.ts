import { summaryOf } from "../../lib/audit/mod.ts";
import { loadConfig } from "../../lib/config.ts";
import { openStore } from "../../lib/store/mod.ts";
import {
  exportedEntries,
  importEntries,
  readLines,
  verifyExport,
  withHeader,
  withLineFeeds,
  writeLines,
} from "../../lib/store/transfer/mod.ts";
import { progressLine } from "./progress.ts";
import { findSecret } from "./secret_beside.ts";
import { summaryLines } from "./summary_lines.ts";
import { stop, stopFor } from "../task_end.ts";

/**
 * `deno task import FILE`: writes an export into an empty store, once the whole file is verified.
 * `-` is standard input.
 */
const [file, ...more] = Deno.args;
if (file === undefined || /^-./.test(file) || more.length > 0) {
  stop("Usage: deno task import FILE");
}
try {
  if (file === "-") await importSpooled();
  else await importFile(file);
} catch (error) {
  stopFor(error);
}

/** Keeps standard input in a file, because it is read twice. */
async function importSpooled(): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const spool = `${folder}/export.jsonl`;
    await writeLines(spool, withLineFeeds(withHeader(readLines("-"))));
    await importFile(spool);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function importFile(path: string): Promise<void> {
  const config = loadConfig(Deno.env.toObject());
  const { secret, notice } = findSecret(config);
  const { store: location, logRetentionMs } = config;
  const total = await verifyExport(readLines(path));
  const store = await openStore({ location, secret, logRetentionMs, isImport: true });
  try {
    using progress = progressLine("Importing");
    const { entries, expired } = await importEntries(store, exportedEntries(readLines(path)), {
      nowMs: Date.now(),
      progress: (count) => progress(count / total),
    });
    const left = expired === 0 ? "" : `, without ${expired.toLocaleString("en")} that have expired`;
    console.log(`Imported ${entries.toLocaleString("en")} entries${left}`);
    for (const line of summaryLines(await summaryOf(store))) console.log(line);
    if (notice) console.log(notice);
  } finally {
    store.close();
  }
}
