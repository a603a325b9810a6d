import { loadConfig } from "../../lib/config.ts";
import { exportStore, targetFile } from "./export_store.ts";
import { secretAdvice } from "./store_secret.ts";
import { stopFor } from "../task.ts";

/**
 * `deno task export FILE [--force]`: writes everything in the store as lines of JSON, which any
 * other store can import. `-` is standard output; notices go to standard error.
 */
try {
  const config = loadConfig(Deno.env.toObject());
  const target = targetFile("export", Deno.args, config.store);
  const entries = await exportStore(config, target);
  console.error(`Exported ${entries.toLocaleString("en")} entries to ${target}`);
  console.error(secretAdvice(config));
} catch (error) {
  stopFor(error);
}
