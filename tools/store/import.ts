import { loadConfig } from "../../lib/config.ts";
import { giveStoreTo, ownerOfStore } from "../../lib/store/file/store_files.ts";
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
import { progressLine, stop, stopFor, withStore } from "../task.ts";
import { contentsOf, findSecret } from "./copied_store.ts";

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
  const { store: location } = config;
  const owner = location.type === "file" ? ownerOfStore(location.path) : undefined;
  const total = await verifyExport(readLines(path));
  await withStore(config, { secret: found.secret, isImport: true }, async (store) => {
    using progress = progressLine("Importing");
    const { entries, expired } = await importEntries(store, exportedEntries(readLines(path)), {
      nowMs: Date.now(),
      progress: (count) => progress(count / total),
    });
    const left = expired === 0 ? "" : `, without ${expired.toLocaleString("en")} that have expired`;
    console.log(`Imported ${entries.toLocaleString("en")} entries${left}`);
    for (const line of await contentsOf(store, found)) console.log(line);
  }).finally(() => {
    if (location.type === "file") giveStoreTo(location.path, owner);
  });
}
