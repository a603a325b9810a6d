import { loadConfig } from "../../lib/config.ts";
import { openStore } from "../../lib/store/mod.ts";
import { restoreStore } from "../../lib/store/transfer/mod.ts";
import { progressLine, stop, stopFor } from "../task.ts";
import { contentsOf, findSecret, type FoundSecret } from "./copied_store.ts";

/**
 * `deno task restore FILE`: replaces the store of a stopped gateway by a backup, after a check of
 * its file. Keeps the former store beside it.
 */
const [from, ...more] = Deno.args;
if (from === undefined || from.startsWith("-") || more.length > 0) {
  stop("Usage: deno task restore FILE");
}
try {
  const config = loadConfig(Deno.env.toObject());
  if (config.store.type !== "file") {
    stop("Cannot restore into this store: it is not a local file. Run `deno task import FILE`");
  }
  const { store: { path }, logRetentionMs } = config;
  const found = findSecret(config);
  const lines: string[] = [];
  using progress = progressLine("Copying the backup");
  const former = await restoreStore(path, {
    from,
    nowMs: Date.now(),
    progress,
    verify: async (copy) => void lines.push(...await contentsOfCopy(copy, found, logRetentionMs)),
  });
  console.log(`Restored ${path} from ${from}`);
  for (const line of lines) console.log(line);
  if (former) console.log(`The former store is now ${former}`);
} catch (error) {
  stopFor(error);
}

/** Opens the copy as an audit does, which notes neither this release nor its secret. */
async function contentsOfCopy(
  path: string,
  found: FoundSecret,
  logRetentionMs: number,
): Promise<string[]> {
  const location = { type: "file", path } as const;
  const store = await openStore({
    location,
    secret: found.secret,
    logRetentionMs,
    isAudited: true,
  });
  try {
    return await contentsOf(store, found);
  } finally {
    store.close();
  }
}
