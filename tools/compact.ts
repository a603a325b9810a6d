import { loadConfig } from "../lib/config.ts";
import { openStore, vacuumStore } from "../lib/store/mod.ts";
import { readTaskArguments, stop, stopFor } from "./task.ts";

/** `deno task compact`: rewrites a stopped gateway's store file without deleted records. */
readTaskArguments({ usage: "deno task compact" });
const { store: location, secret, logRetentionMs } = loadConfig(Deno.env.toObject());
if (location.type !== "file") stop("Cannot compact the store: it is not a local file");
try {
  (await openStore({ location, secret, logRetentionMs })).close();
  const { bytesBefore, bytesAfter } = await vacuumStore(location.path);
  console.log(`Compacted ${location.path} from ${bytesBefore} to ${bytesAfter} bytes`);
} catch (error) {
  stopFor(error);
}
