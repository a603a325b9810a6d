import { assert, assertEquals, assertMatch } from "@std/assert";
import { keys } from "../../lib/store/keys.ts";
import { listArchiveParts } from "../../lib/store/archive/mod.ts";
import { streamRequestLogs } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { compactRows, verifyLog } from "../../lib/store/settling/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { testOnStores, withMemoryStore } from "../store/temp_store.ts";
import {
  archive,
  callAt,
  dayMs,
  fileRows,
  logged,
  memoryPlace,
  newestFirst,
  nowMs,
} from "./archived_store.ts";

async function storedIds(store: Store): Promise<string[]> {
  return (await Array.fromAsync(streamRequestLogs(store))).flat().map(({ id }) => id);
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

testOnStores(
  "archive: days that are over leave, the kept ones stay, each call once",
  async (store) => {
    const rows = [0, 0.2, 1, 1.4, 1.6, 2, 2.1, 3, 30, 400].map((days, n) => callAt(n, days));
    await leaveRows(store, rows, { perCommit: 4 });
    const place = memoryPlace();
    const run = await archive(store, place);
    assertEquals([run?.rows, run?.files], [6, 4]);
    const names = [...place.files.keys()].sort();
    assert(names.every((name) => /\/0001-[0-9a-f]{8}\.jsonl\.gz$/.test(name)), `${names}`);
    assertEquals(names.map((name) => name.slice(0, 10)), [
      ...["2025/10/17", "2026/10/22", "2026/11/18", "2026/11/19"],
    ]);
    assertEquals(await storedIds(store), idsOf(newestFirst(rows.slice(0, 4))));
    assertEquals(await logged(store, place), newestFirst(rows));
    assertEquals(await archive(store, place), { rows: 0, files: 0, bytes: 0 });
  },
);

testOnStores(
  "archive: pages and indexes have nothing left of archived days, and agree",
  async (store) => {
    const rows = Array.from({ length: 600 }, (_, n) => callAt(n, (n % 40) / 8));
    await leaveRows(store, rows, { perCommit: 300 });
    await archive(store, memoryPlace(), { keepDays: 2 });
    const unread = new Set((await listArchiveParts(store)).map(({ day }) => day));
    assertEquals(await verifyLog(store, nowMs, { unreadDays: unread }), []);
    for await (const { key } of store.kv.list({ prefix: keys.logIndexes })) {
      assert(String(key.at(-2)) >= "2026-11-19", key.join(" "));
    }
    assertEquals(
      (await storedIds(store)).length,
      rows.filter(({ atMs }) => atMs >= nowMs - 2.5 * dayMs).length,
    );
  },
);

testOnStores(
  "archive: a day with many calls has several files, newest calls first",
  async (store) => {
    const rows = Array.from({ length: 2_600 }, (_, n) => callAt(n, 5 - n / 30_000));
    await leaveRows(store, rows);
    const place = memoryPlace();
    await archive(store, place, { partRowsMax: 1_000 });
    const files = [...(await fileRows(place)).values()];
    assertEquals(files.map((ids) => ids.length), [1_000, 1_000, 600]);
    assertEquals(files.flat(), idsOf(newestFirst(rows)));
    assertEquals(await logged(store, place), newestFirst(rows));
  },
);

testOnStores(
  "archive: a call that ends after its day was archived goes to a further file",
  async (store) => {
    const [early, late, later] = [callAt(1, 5), callAt(2, 5), callAt(3, 5.1)];
    const place = memoryPlace();
    await leaveRows(store, [early]);
    await archive(store, place);
    await leaveRows(store, [late, later]);
    assertEquals(await logged(store, place), newestFirst([early, late, later]));
    await archive(store, place);
    const files = [...(await fileRows(place))].map(([name, ids]) => [name.slice(0, 15), ids]);
    assertEquals(files, [
      ["2026/11/16/0001", [early.id]],
      ["2026/11/16/0002", [late.id, later.id]],
    ]);
    assertEquals(await storedIds(store), []);
    assertEquals(await logged(store, place), newestFirst([early, late, later]));
  },
);

Deno.test("archive: the same rows give the same bytes, and the record says what is in them", async () => {
  const files: Uint8Array[] = [];
  for (const perCommit of [3, 100]) {
    await withMemoryStore(async (store) => {
      await leaveRows(store, Array.from({ length: 50 }, (_, n) => callAt(n, 4)), { perCommit });
      const place = memoryPlace();
      await archive(store, place);
      files.push(...place.files.values());
      const [part] = await listArchiveParts(store);
      assert(part.state === "archived");
      assertEquals([part.rows, part.costNanoUsd], [50, 1_225n]);
      assertEquals(part.newestId, callAt(49, 4).id);
      assertEquals(part.oldestId, callAt(0, 4).id);
      assertMatch(part.sha256, /^[0-9a-f]{64}$/);
    });
  }
  assertEquals(files[0], files[1]);
});

Deno.test("archive: one isolate at a time", () =>
  withMemoryStore(async (store) => {
    await leaveRows(store, Array.from({ length: 30 }, (_, n) => callAt(n, 4)));
    await compactRows(store);
    const place = memoryPlace();
    const runs = await Promise.all([1, 2, 3, 4].map(() => archive(store, place)));
    assertEquals(runs.filter((run) => run !== undefined).length, 1);
    assertEquals(runs.find((run) => run !== undefined)?.rows, 30);
    assertEquals(await archive(store, place), { rows: 0, files: 0, bytes: 0 });
  }));

Deno.test("archive: rows of a store with an archive never expire", () =>
  withMemoryStore(async (store) => {
    const kept = Object.assign(Object.create(store), { logRetentionMs: Infinity });
    const { atomic } = store.kv;
    const lifetimes: unknown[] = [];
    Object.assign(store.kv, {
      atomic: () => {
        const operation = atomic.call(store.kv);
        const { set } = operation;
        return Object.assign(operation, {
          set: (key: Deno.KvKey, value: unknown, options?: { expireIn?: number }) => {
            if (key[0] === "log_page" || key[0] === "log_by") lifetimes.push(options?.expireIn);
            return set.call(operation, key, value, options);
          },
        });
      },
    });
    await leaveRows(store, [callAt(1, 0)]);
    await compactRows(kept, { isolateId: "isolate" });
    assert(lifetimes.length > 5);
    assertEquals(new Set(lifetimes), new Set([undefined]));
  }));
