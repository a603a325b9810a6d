import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { keys } from "../../lib/store/keys.ts";
import { expirePages, noteUnexpiring, streamRequestLogs } from "../../lib/store/log/mod.ts";
import { openStore, type Store } from "../../lib/store/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { withTempFolder } from "../store/temp_store.ts";
import { callAt, dayMs } from "./archived_store.ts";

/** Stores a page without an expiry, as with an archive, then opens the store without one. */
async function withoutArchive(
  logRetentionMs: number,
  test: (store: Store, path: string) => Promise<void>,
): Promise<void> {
  await withTempFolder(async (folder) => {
    const location = { type: "file", path: `${folder}/tessera.db` } as const;
    const archiving = await openStore({ location, logRetentionMs: Infinity });
    await noteUnexpiring(archiving);
    await leaveRows(archiving, [callAt(1, 1), callAt(2, 2)]);
    assertEquals(await callsIn(archiving), 2);
    archiving.close();
    const store = await openStore({ location, logRetentionMs });
    try {
      await test(store, location.path);
    } finally {
      store.close();
    }
  });
}

async function callsIn(store: Store): Promise<number> {
  return (await Array.fromAsync(streamRequestLogs(store))).flat().length;
}

async function entriesIn(store: Store): Promise<number> {
  const of = (prefix: Deno.KvKey) => Array.fromAsync(store.kv.list({ prefix }));
  return (await of(keys.logPages)).length + (await of(keys.logIndexes)).length;
}

const { signal } = new AbortController();

Deno.test("expirePages: rows of a former archive's store leave after the retention", () =>
  withoutArchive(1, async (store) => {
    assertEquals(await expirePages(store, signal), 1);
    assertEquals(await entriesIn(store), 0);
  }));

Deno.test("expirePages: younger rows get an expiry once, also after an interrupted run", () =>
  withoutArchive(7 * dayMs, async (store, path) => {
    const entries = await entriesIn(store);
    assertEquals(await expirePages(store, AbortSignal.abort()), 0);
    assertEquals(expiriesIn(path), []);
    assertEquals(await expirePages(store, signal), 1);
    assertEquals(await expirePages(store, signal), 0);
    assertEquals([await callsIn(store), await entriesIn(store)], [2, entries]);
    const expiries = expiriesIn(path);
    assertEquals(expiries.length, entries);
    assert(
      expiries.every((atMs) => Math.abs(atMs - Date.now() - 7 * dayMs) < 60_000),
      `${expiries}`,
    );
  }));

/** When entries of the file expire, in milliseconds; without those that last a day. */
function expiriesIn(path: string): number[] {
  using file = new DatabaseSync(path, { readOnly: true });
  const rows = file.prepare("select expiration_ms as atMs from kv where expiration_ms > 0").all();
  return rows.map(({ atMs }) => Number(atMs)).filter((atMs) => atMs > Date.now() + 2 * dayMs);
}
