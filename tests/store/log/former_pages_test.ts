import { assertEquals } from "@std/assert";
import { keys } from "../../../lib/store/keys.ts";
import { addPage, listPages, logPageOf, newPageId } from "../../../lib/store/log/log_page.ts";
import {
  expirePages,
  getRequestLog,
  noteUnexpiring,
  streamRequestLogs,
} from "../../../lib/store/log/mod.ts";
import { unpackRows } from "../../../lib/store/log/request_log_pack.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { compactRows, verifyLog } from "../../../lib/store/settling/mod.ts";
import { sampleRow } from "../samples.ts";
import { withMemoryStore } from "../temp_store.ts";
import { countKeys, leaveRows } from "./log_rows.ts";
import { requestIdOf } from "./row_arbitrary.ts";

/** Gives each page the id and the key that an earlier release would have given it. */
async function makePagesFormer(store: Store): Promise<void> {
  for (const { key, value } of await Array.fromAsync(listPages(store))) {
    const operation = store.kv.atomic().delete(key);
    const { index } = logPageOf(String(key.at(-1)), unpackRows(value));
    for (const { key } of index) operation.delete(key);
    addPage(operation, logPageOf(newPageId().slice(0, -1), unpackRows(value)), Infinity);
    await operation.commit();
  }
}

Deno.test("pages of earlier releases are found, verified and expire next to new ones", () =>
  withMemoryStore(async (store) => {
    const nowMs = Date.now();
    const rows = [1, 2].map((n) =>
      sampleRow(n, { id: requestIdOf(nowMs + n, n), atMs: nowMs + n })
    );
    await leaveRows(store, rows.slice(0, 1));
    await compactRows(store);
    await makePagesFormer(store);
    await leaveRows(store, rows.slice(1));
    await compactRows(store);
    assertEquals([await countKeys(store, ["log"]), await countKeys(store, ["log_page"])], [1, 1]);
    assertEquals((await Array.fromAsync(streamRequestLogs(store))).flat().length, 2);
    for (const { id } of rows) assertEquals((await getRequestLog(store, id))?.id, id);
    assertEquals(await verifyLog(store, nowMs), []);
    await noteUnexpiring(store);
    assertEquals(await expirePages(store, new AbortController().signal), 2);
    assertEquals(await countKeys(store, keys.logIndexes) > 0, true);
  }));
