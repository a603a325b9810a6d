import { openPlace } from "../lib/archive/mod.ts";
import { auditStore } from "../lib/audit/mod.ts";
import { usdText } from "../lib/canonical/mod.ts";
import { loadConfig } from "../lib/config.ts";
import { unreadArchive } from "../lib/store/archive/mod.ts";
import { openStore } from "../lib/store/mod.ts";
import { counted, onBackup, readTaskArguments, stop, stopFor } from "./task.ts";

/**
 * `deno task audit [--json] [--without-archive]`: audits the store of a stopped server, or of a
 * copy that TESSERA_KV names, and the files of the log's archive. Exits with 1 on any difference.
 */
const { given } = readTaskArguments({
  usage: "deno task audit [--json] [--without-archive]",
  flags: ["--json", "--without-archive"],
});
const { store: location, secret, logArchive, logRetentionMs } = loadConfig(Deno.env.toObject());
const isArchiveRead = !given.has("--without-archive");
const place = isArchiveRead && logArchive ? openPlace(logArchive.place) : undefined;
const store = await openStore({ location, secret, logRetentionMs, isAudited: true })
  .catch((error) => stopFor(error, onBackup("audit")));
const unread = isArchiveRead && !logArchive ? await unreadArchive(store) : undefined;
if (unread !== undefined) {
  store.close();
  stop(`${unread}. Set TESSERA_CONFIG to the gateway's file, or pass --without-archive`);
}
const audit = await auditStore(store, place).catch(stopFor);
store.close();
if (given.has("--json")) console.log(JSON.stringify(audit));
else {
  console.log(
    `${counted(audit.calls, "call")}, ${counted(audit.differences.length, "difference")}`,
  );
  const [charged, upstream] = [audit.costNanoUsd, audit.upstreamNanoUsd].map(BigInt).map(usdText);
  console.log(`  charged ${charged}, upstream cost ${upstream}`);
  for (const [name, { calls, inputTokens, outputTokens }] of Object.entries(audit.keys)) {
    console.log(
      `  ${name}: ${counted(calls, "call")}, ${counted(inputTokens, "input token")}, ${
        counted(outputTokens, "output token")
      }`,
    );
  }
  for (const difference of audit.differences) console.log(`  difference: ${difference}`);
}
if (!audit.ok) Deno.exit(1);
