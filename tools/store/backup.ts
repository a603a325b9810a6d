import { loadConfig } from "../../lib/config.ts";
import { snapshotStore } from "../../lib/store/transfer/mod.ts";
import { progressLine, stopFor } from "../task.ts";
import { secretAdvice } from "./copied_store.ts";
import { exportStore, targetFile } from "./export.ts";

/**
 * `deno task backup FILE [--force]`: copies the store, which a gateway may be using, to one file.
 * A store on a server is exported.
 */
try {
  const config = loadConfig(Deno.env.toObject());
  const target = targetFile("backup", Deno.args, config.store);
  const { store: location } = config;
  if (location.type === "file") {
    using progress = progressLine("Copying the store");
    const bytes = await snapshotStore(location.path, { target, progress });
    console.log(`Copied ${location.path} to ${target}: ${bytes.toLocaleString("en")} bytes`);
  } else {
    const entries = await exportStore(config, target);
    console.log(`Exported ${entries.toLocaleString("en")} entries to ${target}`);
  }
  console.log(secretAdvice(config));
} catch (error) {
  stopFor(error);
}
