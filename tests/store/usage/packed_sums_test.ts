import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { keys } from "../../../lib/store/keys.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { compactRows, verifyLog } from "../../../lib/store/settling/mod.ts";
import { packSums, sumsOfEntry } from "../../../lib/store/usage/packed_sums.ts";
import { pruneRollups, readCounts, readTimes, subjects } from "../../../lib/store/usage/mod.ts";
import { unpackRollups } from "../former_store.ts";
import { countKeys, expectedSums, leaveRows, storedSums } from "../log/log_rows.ts";
import { anyRows, baseMs, requestIdOf } from "../log/row_arbitrary.ts";
import { sampleRow } from "../samples.ts";
import { testOnStores, withTempFolder } from "../temp_store.ts";

const dayMs = 86_400_000;
const nowMs = baseMs + dayMs / 2;

Deno.test("sumsOfEntry reads what packSums wrote, of any amounts", () => {
  fc.assert(fc.property(
    fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-zA-Z.0-9]+$/), fc.bigInt({ min: 0n })), {
      minLength: 1,
      selector: ([name]) => name,
    }),
    (sums) => {
      const entry = { key: ["k"], value: packSums(new Map(sums)), versionstamp: "1" };
      assertEquals(sumsOfEntry(entry), sums);
    },
  ));
});

/** Similar calls of one key within an hour. */
function alike(count: number, first = 0) {
  return Array.from({ length: count }, (_, n) => {
    const atMs = baseMs + first + n;
    return sampleRow(first + n, { id: requestIdOf(atMs, first + n), atMs, upstreamId: "acme" });
  });
}

testOnStores("rollups of similar calls are one value per subject, step and kind", async (store) => {
  await leaveRows(store, alike(150).map((row) => ({ ...row, keyId: "key_1" })));
  await compactRows(store);
  for (const prefix of ["rollup_hour", "rollup_day", "rollup_times_hour", "rollup_times_day"]) {
    assertEquals(await countKeys(store, [prefix]), 8, prefix);
  }
});

testOnStores("rollups that an earlier release began go on in the same hour", async (store) => {
  const [former, own] = fc.sample(anyRows({ minLength: 30, maxLength: 60 }), {
    numRuns: 2,
    seed: 11,
  });
  const rows = [
    ...former,
    ...own.map((row, n) => ({ ...row, id: requestIdOf(row.atMs, 500 + n) })),
  ];
  await leaveRows(store, rows.slice(0, former.length));
  await compactRows(store);
  await unpackRollups(store.kv);
  await leaveRows(store, rows.slice(former.length));
  await compactRows(store);
  for (const step of ["hour", "day"] as const) {
    assertEquals(await storedSums(store, step), expectedSums(rows, step));
  }
  assertEquals(await verifyLog(store, nowMs), []);
});

testOnStores("readers add the sums of an earlier release to packed ones", async (store) => {
  await leaveRows(store, alike(3));
  await compactRows(store);
  await unpackRollups(store.kv);
  assertEquals(await countKeys(store, keys.rollup("hour", "all", "", "")), 1);
  await leaveRows(store, alike(2, 3));
  await compactRows(store);
  for (const step of ["hour", "day"] as const) {
    const period = { step, fromMs: baseMs, toMs: baseMs + 1 };
    const [{ sum: counts }] = await readCounts(store, subjects.all(), period);
    const [{ sum: times }] = await readTimes(store, subjects.all(), period);
    assertEquals([counts.requests, times.duration.reduce((a, b) => a + b)], [5, 5]);
  }
});

testOnStores("pruneRollups forgets hours of earlier releases too", async (store) => {
  await leaveRows(store, alike(3));
  await compactRows(store);
  await unpackRollups(store.kv);
  await leaveRows(store, alike(3, 3));
  await compactRows(store);
  await pruneRollups(store, baseMs + 402 * dayMs);
  assertEquals(await countKeys(store, ["rollup_hour"]), 0);
  assertEquals(await countKeys(store, ["rollup_times_hour"]), 0);
  assert(await countKeys(store, ["rollup_day"]) > 8);
});

Deno.test("a start marks a store of bytes with this release's format", () =>
  withTempFolder(async (folder) => {
    const location = { type: "file", path: `${folder}/tessera.db` } as const;
    const former = await openStore({ location });
    await former.kv.set(keys.format, new Deno.KvU64(2n));
    former.close();
    const store = await openStore({ location });
    assertEquals((await store.kv.get(keys.format)).value, new Deno.KvU64(5n));
    store.close();
  }));
