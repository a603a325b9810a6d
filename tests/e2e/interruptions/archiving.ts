import { archiveLog, openPlace } from "../../../lib/archive/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";

/** Archives the log of a store in files of 100 rows: a process that tests kill. */
const [path, folder] = Deno.args;
const store = await openStore({ location: { type: "file", path }, logRetentionMs: Infinity });
console.log("opened");
const place = openPlace({ type: "folder", path: folder });
await archiveLog({ store, place, keepDays: 1, nowMs: Date.now(), partRowsMax: 100 });
store.close();
