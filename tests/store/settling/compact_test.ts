import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { keys } from "../../../lib/store/keys.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { type Store } from "../../../lib/store/mod.ts";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import { countKeys, expectedSums, leaveRows, pagedRows, storedSums } from "../log/log_rows.ts";
import { anyRows, baseMs, requestIdOf } from "../log/row_arbitrary.ts";
import { sampleRow } from "../samples.ts";
import { testOnStores, withMemoryStore } from "../temp_store.ts";
import { watchedStore } from "../watched_store.ts";

const isolates = ["a", "b", "c"];

/** Rows as several isolates leave them, few in each value. */
async function leaveEverywhere(store: Store, rows: readonly RequestLogRow[]): Promise<void> {
  for (const [n, isolateId] of isolates.entries()) {
    const own = rows.filter((_, index) => index % isolates.length === n);
    await leaveRows(store, own, { isolateId, perCommit: 3 });
  }
}

/** Asserts that each row is in the log once, all sums are right, and no row is left waiting. */
async function assertFolded(store: Store, rows: readonly RequestLogRow[]): Promise<void> {
  const expected = rows.toSorted((a, b) => a.id < b.id ? -1 : 1);
  assertEquals(await pagedRows(store), expected);
  for (const step of ["hour", "day"] as const) {
    assertEquals(await storedSums(store, step), expectedSums(rows, step));
  }
  for (const prefix of [keys.allWaitingRows, keys.allWaitingSums]) {
    assertEquals(await countKeys(store, prefix), 0);
  }
}

const someRows = anyRows({ minLength: 1, maxLength: 40 });

testOnStores(
  "compactRows moves every row into the log and its sums into the rollups",
  async (store) => {
    assertEquals(await compactRows(store), 0);
    const [rows] = fc.sample(anyRows({ minLength: 200, maxLength: 300 }), { numRuns: 1, seed: 7 });
    await leaveEverywhere(store, rows);
    assertEquals(await compactRows(store), rows.length);
    await assertFolded(store, rows);
    assertEquals(await compactRows(store), 0);
    await assertFolded(store, rows);
  },
);

testOnStores("compactRows of one isolate leaves the others' rows where they are", async (store) => {
  const [one, other] = [sampleRow(1), sampleRow(2)];
  await leaveRows(store, [one], { isolateId: "a" });
  await leaveRows(store, [other], { isolateId: "b" });
  assertEquals(await compactRows(store, { isolateId: "a" }), 1);
  assertEquals(await pagedRows(store), [one]);
  assertEquals(await compactRows(store), 1);
  await assertFolded(store, [one, other]);
});

testOnStores("compactRows without rollups leaves the sums for later", async (store) => {
  const rows = [sampleRow(1), sampleRow(2)];
  await leaveRows(store, rows);
  assertEquals(await compactRows(store, { rollups: false }), 2);
  assertEquals((await storedSums(store, "day")).length, 0);
  assertEquals(await compactRows(store), 0);
  await assertFolded(store, rows);
});

testOnStores(
  "compactRows: rows without common labels fit into commits too",
  async (store) => {
    const rows = Array.from({ length: 600 }, (_, n) => {
      const atMs = baseMs + n * 60_000;
      return sampleRow(n, {
        id: requestIdOf(atMs, n),
        atMs,
        accountId: `account ${n}`,
        keyId: `key ${n}`,
        groupId: `group ${n}`,
        upstreamId: `upstream ${n}`,
        model: `model ${n}`,
      });
    });
    await leaveRows(store, rows, { perCommit: 600 });
    await compactRows(store);
    await assertFolded(store, rows);
  },
);

Deno.test("compactRows packs similar rows into few pages, sums and commits", () =>
  withMemoryStore(async (store) => {
    const rows = Array.from(
      { length: 3_000 },
      (_, n) =>
        sampleRow(n, { id: requestIdOf(baseMs + n, n), atMs: baseMs + n, upstreamId: "acme" }),
    );
    await leaveRows(store, rows, { perCommit: 30 });
    let commits = 0;
    await compactRows(watchedStore(store, { afterCommit: () => void commits++ }));
    assert(commits < 10, `${commits} commits`);
    assert(await countKeys(store, keys.logPages) < 25);
    await assertFolded(store, rows);
  }));

Deno.test("compactRows moves any rows under any interleaving of compactors", async () => {
  await fc.assert(
    fc.asyncProperty(
      someRows,
      fc.scheduler(),
      (rows, scheduler) =>
        withMemoryStore(async (store) => {
          await leaveEverywhere(store, rows);
          const pause = () => scheduler.schedule(Promise.resolve());
          const seen = watchedStore(store, { beforeRead: pause, beforeCommit: pause });
          const compactors = [
            compactRows(seen),
            compactRows(seen, { isolateId: "a" }),
            compactRows(seen, { rollups: false }),
            compactRows(seen),
          ];
          const compacted = Promise.all(compactors);
          await scheduler.waitFor(compacted);
          assertEquals((await compacted).reduce((sum, count) => sum + count, 0), rows.length);
          await assertFolded(store, rows);
        }),
    ),
    { numRuns: 60 },
  );
});

Deno.test("compactRows: isolates that add to the same rollups at the same time lose no sum", async () => {
  await fc.assert(
    fc.asyncProperty(
      someRows,
      fc.scheduler(),
      (rows, scheduler) =>
        withMemoryStore(async (store) => {
          await leaveEverywhere(store, rows);
          const pause = () => scheduler.schedule(Promise.resolve());
          const seen = watchedStore(store, { beforeRead: pause, beforeCommit: pause });
          const own = isolates.map((isolateId) => compactRows(seen, { isolateId }));
          await scheduler.waitFor(Promise.all(own));
          await assertFolded(store, rows);
        }),
    ),
    { numRuns: 60 },
  );
});

Deno.test("compactRows: concurrent calls share one compaction, and none returns too early", () =>
  withMemoryStore(async (store) => {
    const [early, late] = [sampleRow(1), sampleRow(2)];
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let commits = 0;
    const seen = watchedStore(store, {
      beforeCommit: async () => {
        begun.resolve();
        if (commits++ === 0) await go.promise;
      },
    });
    await leaveRows(store, [early], { isolateId: "a" });
    const first = compactRows(seen);
    await begun.promise;
    await leaveRows(store, [late], { isolateId: "b" });
    const others = Array.from({ length: 25 }, () => compactRows(seen));
    go.resolve();
    await Promise.race(others);
    await assertFolded(store, [early, late]);
    await Promise.all([first, ...others]);
    assert(commits <= 4, `${commits} commits`);
  }));

Deno.test("compactRows: others finish the work of a compactor that dies between any two commits", async () => {
  await fc.assert(
    fc.asyncProperty(
      someRows,
      fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (rows, lives, told) =>
        withMemoryStore(async (store) => {
          await leaveEverywhere(store, rows);
          for (const commits of lives) await foldUntilDeath(store, commits, told);
          await compactRows(store);
          await assertFolded(store, rows);
        }),
    ),
    { numRuns: 60 },
  );
});

/** Compacts, and fails at the next commit, before it happens or before its outcome is known. */
async function foldUntilDeath(store: Store, commits: number, told: boolean): Promise<void> {
  let left = commits;
  const die = () => {
    if (left-- <= 0) throw new Error("dead");
  };
  const mortal = watchedStore(store, told ? { beforeCommit: die } : { afterCommit: die });
  await compactRows(mortal).catch((error) => assertEquals(error.message, "dead"));
}

Deno.test("compactRows: rows that arrive during a compaction are moved by the next one", () =>
  withMemoryStore(async (store) => {
    const rows = Array.from({ length: 40 }, (_, n) => sampleRow(n));
    await leaveRows(store, [rows[0]]);
    let next = 1;
    const arriving = watchedStore(store, {
      beforeCommit: async () => {
        if (next < rows.length) await leaveRows(store, [rows[next++]]);
      },
    });
    while (next < rows.length) await compactRows(arriving);
    await compactRows(store);
    await assertFolded(store, rows);
  }));

Deno.test("compactRows: a new value in front of those being compacted moves no row twice", () =>
  withMemoryStore(async (store) => {
    const rows = [sampleRow(1), sampleRow(2)];
    await leaveRows(store, [rows[0]], { order: "2" });
    const first = gate();
    const second = gate();
    const compaction = compactRows(watchedStore(store, { beforeCommit: first.pass }));
    await first.reached;
    await leaveRows(store, [rows[1]], { order: "1" });
    const other = compactRows(watchedStore(store, { beforeCommit: second.pass }));
    await second.reached;
    first.open();
    await compaction;
    second.open();
    await other;
    await assertFolded(store, rows);
  }));

Deno.test("compactRows: a process suspended until its mark expired moves no row twice", () =>
  withMemoryStore(async (store) => {
    const rows = [sampleRow(1)];
    await leaveRows(store, rows);
    const sleeping = gate();
    const late = compactRows(watchedStore(store, { beforeCommit: sleeping.pass }));
    await sleeping.reached;
    await compactRows(store);
    await store.kv.delete(keys.compactionMark("isolate"));
    sleeping.open();
    await late;
    await assertFolded(store, rows);
  }));

/** A gate that holds a compactor before its commits until it is opened. */
function gate() {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  return { reached, open, pass: () => (reach(), opened) };
}

Deno.test("rows of any number of sessions and of long models share commits with their sums", async () => {
  for (const model of ["\u0001".repeat(200), "模".repeat(200)]) {
    await withMemoryStore(async (store) => {
      const rows = Array.from({ length: 2_000 }, (_, n) =>
        sampleRow(n, {
          id: requestIdOf(baseMs, n),
          atMs: baseMs,
          upstreamId: "up",
          model,
          session: { id: `s${n}` },
        }));
      await leaveRows(store, rows);
      assertEquals(await compactRows(store, { rollups: false }), rows.length);
      assertEquals((await pagedRows(store)).length, rows.length);
      assertEquals(await countKeys(store, keys.allWaitingRows), 0);
    });
  }
});
