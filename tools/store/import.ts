import { summaryOf } from "../../lib/audit/mod.ts";
import { loadConfig } from "../../lib/config.ts";
import { giveStoreTo, ownerOfStore } from "../../lib/store/file/file_owner.ts";
import { openStore } from "../../lib/store/mod.ts";
import {
  exportedEntries,
  importEntries,
  ImportRefusal,
  readLines,
  removedAtEnd,
  verifyExport,
  withHeader,
  withLineFeeds,
  writeLines,
} from "../../lib/store/transfer/mod.ts";
import { isSourceName, migrationUsages } from "../migration/plan.ts";
import { progressLine, stop, stopFor, taskWaitMs } from "../task.ts";
import { findSecret, secretFault, summaryLines } from "./store_secret.ts";

/**
 * `deno task import FILE`: writes an export into an empty store, once the whole file is verified.
 * `-` is standard input. `deno task import litellm …` and `deno task import new-api …` take over
 * the records of these projects.
 */
const [file, ...more] = Deno.args;
const isMigration = file !== undefined && isSourceName(file);
if (file === undefined || /^-./.test(file) || (more.length > 0 && !isMigration)) {
  stop(`Usage: deno task import FILE, or ${Object.values(migrationUsages).join(", or ")}`);
}
try {
  if (isMigration) {
    const { runMigration } = await import("../migration/task.ts"); // knows the console's forms
    await runMigration(file, more);
  } else if (file === "-") await importSpooled();
  else await importFile(file);
} catch (error) {
  const name = file === "-" ? "standard input" : file;
  if (error instanceof ImportRefusal) stop(`Cannot import ${name}: ${error.reason}`);
  stopFor(error);
}

/** Keeps standard input in a file, because it is read twice. */
async function importSpooled(): Promise<void> {
  const folder = await Deno.makeTempDir();
  using _ = removedAtEnd(folder);
  const spool = `${folder}/export.jsonl`;
  await writeLines(spool, withLineFeeds(withHeader(readLines("-"))));
  await importFile(spool);
}

async function importFile(path: string): Promise<void> {
  const config = loadConfig(Deno.env.toObject());
  const found = findSecret(config);
  const { store: location, limits, logRetentionMs } = config;
  const owner = location.type === "file" ? ownerOfStore(location.path) : undefined;
  const total = await verifyExport(readLines(path));
  const store = await openStore({
    location,
    secret: found.secret,
    logRetentionMs,
    waitMs: taskWaitMs(limits),
    isImport: true,
  });
  try {
    using progress = progressLine("Importing");
    const { entries, expired } = await importEntries(store, exportedEntries(readLines(path)), {
      nowMs: Date.now(),
      progress: (count) => progress(count / total),
    });
    const left = expired === 0 ? "" : `, without ${expired.toLocaleString("en")} that have expired`;
    console.log(`Imported ${entries.toLocaleString("en")} entries${left}`);
    const summary = await summaryOf(store);
    const lines = [...summaryLines(summary), ...await secretFault(store, found)];
    for (const line of lines) console.log(line);
    if (summary.differences.length > 0) Deno.exitCode = 1;
  } finally {
    store.close();
    if (location.type === "file") giveStoreTo(location.path, owner);
  }
}
