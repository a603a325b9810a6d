import { assert, assertEquals, assertRejects } from "@std/assert";
import { Activity } from "../../lib/activity.ts";
import { Ledger } from "../../lib/ledger/mod.ts";
import { listRequestLogs } from "../../lib/store/log/mod.ts";
import {
  type Store,
  type StoreChange,
  StoreMonitor,
  StoreUnavailable,
} from "../../lib/store/mod.ts";
import { compactRows } from "../../lib/store/settling/mod.ts";
import { type Commit, withCommit } from "../store/failing_store.ts";
import { sampleRow } from "../store/samples.ts";
import { withMemoryStore, withTempStore } from "../store/temp_store.ts";
import { later, until } from "../waiting.ts";

const options = { timeZone: "UTC", moneyWaitMs: 1_000, now: Date.now };
const seldom = { everyMs: 1_000_000, activity: new Activity() };

/** A store whose disk is full while the test says so. */
function crowded(store: Store) {
  const disk = { isFull: false, tries: 0 };
  const kv = withCommit(store, async (commit) => {
    disk.tries++;
    if (disk.isFull) throw store.health.error("full");
    return await commit();
  });
  return { disk, store: kv };
}

Deno.test("a call that ends while the store is away is recorded once it is back, as it was corrected meanwhile", async () => {
  await withMemoryStore(async (memory) => {
    const { disk, store } = crowded(memory);
    const ledger = await Ledger.open(store, options);
    disk.isFull = true;
    const row = sampleRow(1, { id: "req_1", outcome: "completed" });
    const first = ledger.settle(row);
    await until(() => disk.tries >= 3);
    assertEquals(memory.health.pending, 1);
    const second = ledger.settle({ ...row, outcome: "truncated", errorCode: "store_unavailable" });
    disk.isFull = false;
    const stored = await Promise.all([first, second]);
    assertEquals(stored.map(({ outcome }) => outcome), ["truncated", "truncated"]);
    assertEquals(memory.health.pending, 0);
    await compactRows(memory);
    const { rows } = await listRequestLogs(memory, { limit: 10 });
    assertEquals(rows.map(({ id, errorCode }) => [id, errorCode]), [[
      "req_1",
      "store_unavailable",
    ]]);
    await ledger.close();
  });
});

/** A store whose commits meet one step after the other, and then no more failures. */
function stepwise(store: Store, steps: ((commit: Commit) => ReturnType<Commit>)[]): Store {
  return withCommit(store, (commit) => (steps.shift() ?? ((now) => now()))(commit));
}

Deno.test("a call whose commit succeeds after its caller was refused is reported as it is in the log", async () => {
  for (const isAnswered of [true, false]) {
    await withMemoryStore(async (memory) => {
      const { promise: refused, resolve: refuse } = Promise.withResolvers<void>();
      let tries = 0;
      const commitLate = async (commit: Commit) => {
        tries++;
        const result = await commit();
        await refused;
        if (isAnswered) return result;
        throw memory.health.error("silent");
      };
      const ledger = await Ledger.open(stepwise(memory, [commitLate]), options);
      const row = sampleRow(1, { id: "req_1", outcome: "completed" });
      const first = ledger.settle(row);
      await until(() => tries === 1);
      const second = ledger.settle({ ...row, ...refusedFields });
      refuse();
      const stored = await Promise.all([first, second]);
      assertEquals(stored.map(({ outcome }) => outcome), ["completed", "completed"]);
      const { rows } = await listRequestLogs(memory, { limit: 10 });
      assertEquals(rows.map(({ outcome }) => outcome), ["completed"]);
      await ledger.close();
    });
  }
});

Deno.test("a call corrected twice is recorded as corrected last", async () => {
  await withMemoryStore(async (memory) => {
    const { promise: corrected, resolve: correct } = Promise.withResolvers<void>();
    const fail = async () => {
      tries++;
      await corrected;
      throw memory.health.error("silent");
    };
    let tries = 0;
    const ledger = await Ledger.open(stepwise(memory, [fail, fail, fail]), options);
    const row = sampleRow(1, { id: "req_1", outcome: "completed" });
    const stored = ledger.settle(row);
    await until(() => tries === 1);
    void ledger.settle({ ...row, outcome: "client_gone" });
    correct();
    await later(5); // the first attempt fails, the second waits
    void ledger.settle({ ...row, ...refusedFields });
    assertEquals((await stored).outcome, "truncated");
    assertEquals(tries, 3);
    await ledger.close();
  });
});

const refusedFields = { outcome: "truncated", errorCode: "store_unavailable" } as const;

Deno.test("calls that wait for the store longer than any number of tries are recorded, each once", async () => {
  await withMemoryStore(async (memory) => {
    const { disk, store } = crowded(memory);
    const ledger = await Ledger.open(store, options);
    disk.isFull = true;
    const settled = Array.from(
      { length: 50 },
      (_, at) => ledger.settle(sampleRow(at, { id: `req_${at}` })),
    );
    while (disk.tries < 10) await later(20); // they pause for longer and longer
    disk.isFull = false;
    await Promise.all(settled);
    await compactRows(memory);
    const { rows } = await listRequestLogs(memory, { limit: 100 });
    assertEquals(new Set(rows.map(({ id }) => id)).size, 50);
    assertEquals(rows.length, 50);
    await ledger.close();
  });
});

Deno.test("a ledger that closes while the store is away gives up the calls that wait", async () => {
  await withMemoryStore(async (memory) => {
    const { disk, store } = crowded(memory);
    const ledger = await Ledger.open(store, options);
    disk.isFull = true;
    const settled = ledger.settle(sampleRow(1)).then(() => "stored", ({ code }) => code);
    await ledger.close().catch(() => {});
    assertEquals(await settled, "store_unavailable");
    disk.isFull = false;
  });
});

Deno.test("a store is not silent because the gateway itself was busy", async () => {
  await withTempStore(async (store) => {
    const changes: StoreChange[] = [];
    store.health.onChange((change) => changes.push(change));
    const monitor = new StoreMonitor(store, { ...seldom, timeoutMs: 500 });
    const probing = monitor.probe();
    await Promise.resolve();
    for (const endsAt = performance.now() + 1_000; performance.now() < endsAt;); // such as a long body
    await probing;
    await monitor.close();
    assertEquals(changes, []);
  });
});

Deno.test("a probe that does not come back makes the store silent until it does", async () => {
  await withTempStore(async (store) => {
    const { set } = store.kv;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let begun = 0;
    const hanging = Object.assign(store.kv, {
      set: async (...args: Parameters<Store["kv"]["set"]>) => {
        begun++;
        await released;
        return await set.apply(store.kv, args);
      },
    });
    assert(hanging === store.kv);
    const monitor = new StoreMonitor(store, { ...seldom, timeoutMs: 20 });
    await monitor.probe();
    await monitor.probe();
    assertEquals(
      [store.health.fault, begun],
      ["silent", 1],
      "no second probe behind one that hangs",
    );
    release();
    await monitor.close();
    const patient = new StoreMonitor(store, { ...seldom, timeoutMs: 60_000 });
    await patient.probe();
    assertEquals(store.health.fault, undefined);
    await patient.close();
  });
});

Deno.test("a call that waits for a hanging store is refused once the store counts as silent, and a late result is undone", async () => {
  await withMemoryStore(async ({ health }) => {
    const { promise: step, resolve: come } = Promise.withResolvers<string>();
    const undone: string[] = [];
    const waiting = health.unlessFaulty(step, (late) => void undone.push(late));
    health.report("silent");
    assertEquals((await assertRejects(() => waiting, StoreUnavailable)).fault, "silent");
    come("late");
    await step;
    assertEquals(undone, ["late"]);
    health.recovered();
    assertEquals(await health.unlessFaulty(Promise.resolve("in time"), () => {}), "in time");
  });
});
