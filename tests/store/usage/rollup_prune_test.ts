import { assertEquals } from "@std/assert";
import { compactRows, verifyLog } from "../../../lib/store/settling/mod.ts";
import { pruneRollups, readCounts, readTimes, subjects } from "../../../lib/store/usage/mod.ts";
import { leaveRows } from "../log/log_rows.ts";
import { baseMs, requestIdOf } from "../log/row_arbitrary.ts";
import { sampleRow } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";

const dayMs = 86_400_000;

testOnStores("pruneRollups forgets old hours of every subject, and no day", async (store) => {
  const rows = [0, 1, 399, 401, 800].map((days, n) => {
    const atMs = baseMs - days * dayMs;
    const fields = { keyId: `key_${n % 2}`, model: `model ${n}`, upstreamId: "acme" };
    return sampleRow(n, { id: requestIdOf(atMs, n), atMs, ...fields });
  });
  await leaveRows(store, rows);
  await compactRows(store);
  await pruneRollups(store, baseMs);
  for (
    const { subject, hours, days } of [
      { subject: subjects.all(), hours: 3, days: 5 },
      { subject: subjects.key("key_0", "owner"), hours: 2, days: 3 },
      { subject: subjects.key("key_1", "owner"), hours: 1, days: 2 },
      { subject: subjects.model("model 4"), hours: 0, days: 1 },
      { subject: subjects.upstream("acme"), hours: 3, days: 5 },
    ]
  ) {
    const period = { fromMs: 0, toMs: baseMs + dayMs };
    for (const read of [readCounts, readTimes]) {
      assertEquals((await read(store, subject, { ...period, step: "hour" })).length, hours);
      assertEquals((await read(store, subject, { ...period, step: "day" })).length, days);
    }
  }
  assertEquals(await verifyLog(store, baseMs), []);
  const patient = Object.assign(Object.create(store), { logRetentionMs: 1_000 * dayMs });
  assertEquals(await verifyLog(patient, baseMs), []);
});

testOnStores("pruneRollups takes one turn a day", async (store) => {
  assertEquals(await pruneRollups(store, baseMs), 0);
  assertEquals(await pruneRollups(store, baseMs + 1), undefined);
  assertEquals(await pruneRollups(store, baseMs + dayMs), 0);
});
