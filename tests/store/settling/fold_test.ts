import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { foldRows, openStore, type RequestLogRow, type Store } from "../../../lib/store/mod.ts";
import { keys } from "../../../lib/store/keys.ts";
import { countKeys, expectedSums, leaveRows, pagedRows, storedSums } from "../log/log_rows.ts";
import { anyRows, baseMs, requestIdOf } from "../log/row_arbitrary.ts";
import { sampleRow } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";
import { watchedStore } from "../watched_store.ts";

const isolates = ["a", "b", "c"];

/** Rows as several isolates leave them, few in each value. */
async function leaveEverywhere(store: Store, rows: readonly RequestLogRow[]): Promise<void> {
  for (const [n, isolateId] of isolates.entries()) {
    const own = rows.filter((_, index) => index % isolates.length === n);
    await leaveRows(store, own, { isolateId, perCommit: 3 });
  }
}

/** Every row once in the log, every sum right, nothing left waiting. */
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

async function inMemory(run: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore({ location: { type: "memory" } });
  try {
    await run(store);
  } finally {
    store.close();
  }
}

const someRows = anyRows({ minLength: 1, maxLength: 40 });

testOnStores(
  "foldRows moves every row into the log and its sums into the rollups",
  async (store) => {
    assertEquals(await foldRows(store), 0);
    const [rows] = fc.sample(anyRows({ minLength: 200, maxLength: 300 }), { numRuns: 1, seed: 7 });
    await leaveEverywhere(store, rows);
    assertEquals(await foldRows(store), rows.length);
    await assertFolded(store, rows);
    assertEquals(await foldRows(store), 0);
    await assertFolded(store, rows);
  },
);

testOnStores("foldRows of one isolate leaves the others' rows where they are", async (store) => {
  const [one, other] = [sampleRow(1), sampleRow(2)];
  await leaveRows(store, [one], { isolateId: "a" });
  await leaveRows(store, [other], { isolateId: "b" });
  assertEquals(await foldRows(store, { isolateId: "a" }), 1);
  assertEquals(await pagedRows(store), [one]);
  assertEquals(await foldRows(store), 1);
  await assertFolded(store, [one, other]);
});

testOnStores("foldRows without rollups leaves what rows add up to for later", async (store) => {
  const rows = [sampleRow(1), sampleRow(2)];
  await leaveRows(store, rows);
  assertEquals(await foldRows(store, { rollups: false }), 2);
  assertEquals((await storedSums(store, "day")).length, 0);
  assertEquals(await foldRows(store), 0);
  await assertFolded(store, rows);
});

testOnStores("foldRows: callers who have nothing in common fit into commits too", async (store) => {
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
  await foldRows(store);
  await assertFolded(store, rows);
});

Deno.test("foldRows packs: alike rows take few pages, few sums and few commits", () =>
  inMemory(async (store) => {
    const rows = Array.from(
      { length: 3_000 },
      (_, n) =>
        sampleRow(n, { id: requestIdOf(baseMs + n, n), atMs: baseMs + n, upstreamId: "acme" }),
    );
    await leaveRows(store, rows, { perCommit: 30 });
    let commits = 0;
    await foldRows(watchedStore(store, { afterCommit: () => void commits++ }));
    assert(commits < 10, `${commits} commits`);
    assert(await countKeys(store, keys.logPages) < 25);
    await assertFolded(store, rows);
  }));

Deno.test("foldRows: any rows, any order in which folders take turns", async () => {
  await fc.assert(
    fc.asyncProperty(someRows, fc.scheduler(), (rows, scheduler) =>
      inMemory(async (store) => {
        await leaveEverywhere(store, rows);
        const pause = () => scheduler.schedule(Promise.resolve());
        const seen = watchedStore(store, { beforeRead: pause, beforeCommit: pause });
        const folders = [
          foldRows(seen),
          foldRows(seen, { isolateId: "a" }),
          foldRows(seen, { rollups: false }),
          foldRows(seen),
        ];
        const folded = Promise.all(folders);
        await scheduler.waitFor(folded);
        assertEquals((await folded).reduce((sum, count) => sum + count, 0), rows.length);
        await assertFolded(store, rows);
      })),
    { numRuns: 60 },
  );
});

Deno.test("foldRows: many who ask at once share one folding, and none is told too early", () =>
  inMemory(async (store) => {
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
    const first = foldRows(seen);
    await begun.promise;
    await leaveRows(store, [late], { isolateId: "b" });
    const others = Array.from({ length: 25 }, () => foldRows(seen));
    go.resolve();
    await Promise.race(others);
    await assertFolded(store, [early, late]);
    await Promise.all([first, ...others]);
    assert(commits <= 4, `${commits} commits`);
  }));

Deno.test("foldRows: a folder that dies between any two commits, others that go on", async () => {
  await fc.assert(
    fc.asyncProperty(
      someRows,
      fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (rows, lives, told) =>
        inMemory(async (store) => {
          await leaveEverywhere(store, rows);
          for (const commits of lives) await foldUntilDeath(store, commits, told);
          await foldRows(store);
          await assertFolded(store, rows);
        }),
    ),
    { numRuns: 60 },
  );
});

/** Folds, and dies at the next commit: before it happens, or before its outcome is known. */
async function foldUntilDeath(store: Store, commits: number, told: boolean): Promise<void> {
  let left = commits;
  const die = () => {
    if (left-- <= 0) throw new Error("dead");
  };
  const mortal = watchedStore(store, told ? { beforeCommit: die } : { afterCommit: die });
  await foldRows(mortal).catch((error) => assertEquals(error.message, "dead"));
}

Deno.test("foldRows: rows that arrive while others are folded are folded by the next", () =>
  inMemory(async (store) => {
    const rows = Array.from({ length: 40 }, (_, n) => sampleRow(n));
    await leaveRows(store, [rows[0]]);
    let next = 1;
    const arriving = watchedStore(store, {
      beforeCommit: async () => {
        if (next < rows.length) await leaveRows(store, [rows[next++]]);
      },
    });
    while (next < rows.length) await foldRows(arriving);
    await foldRows(store);
    await assertFolded(store, rows);
  }));

Deno.test("foldRows: a value that comes before one that is being folded does not fold it twice", () =>
  inMemory(async (store) => {
    const rows = [sampleRow(1), sampleRow(2)];
    await leaveRows(store, [rows[0]], { order: "2" });
    const first = gate();
    const second = gate();
    const folding = foldRows(watchedStore(store, { beforeCommit: first.pass }));
    await first.reached;
    await leaveRows(store, [rows[1]], { order: "1" });
    const other = foldRows(watchedStore(store, { beforeCommit: second.pass }));
    await second.reached;
    first.open();
    await folding;
    second.open();
    await other;
    await assertFolded(store, rows);
  }));

Deno.test("foldRows: one that slept until its mark was forgotten folds nothing twice", () =>
  inMemory(async (store) => {
    const rows = [sampleRow(1)];
    await leaveRows(store, rows);
    const sleeping = gate();
    const late = foldRows(watchedStore(store, { beforeCommit: sleeping.pass }));
    await sleeping.reached;
    await foldRows(store);
    await store.kv.delete(keys.foldMark("isolate"));
    sleeping.open();
    await late;
    await assertFolded(store, rows);
  }));

/** Where a folder waits before its commits until it is let through. */
function gate() {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  return { reached, open, pass: () => (reach(), opened) };
}
