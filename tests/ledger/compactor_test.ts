import { assert, assertEquals } from "@std/assert";
import { Compactor } from "../../lib/ledger/mod.ts";
import { keys } from "../../lib/store/keys.ts";
import { noteLogRetention } from "../../lib/store/log/mod.ts";
import { Store } from "../../lib/store/mod.ts";
import { pruneRollups } from "../../lib/store/usage/mod.ts";
import {
  countKeys,
  expectedSums,
  leaveRows,
  pagedRows,
  storedSums,
} from "../store/log/log_rows.ts";
import { sampleRow } from "../store/samples.ts";
import { eventually, withMemoryStore } from "../store/temp_store.ts";
import { watchedStore } from "../store/watched_store.ts";

const soon = { rowsIntervalMs: 5, rollupsIntervalMs: 10 };
const never = { rowsIntervalMs: 1_000_000 };

function nothingWaits(store: Store): () => Promise<boolean> {
  return async () =>
    await countKeys(store, keys.allWaitingRows) + await countKeys(store, keys.allWaitingSums) === 0;
}

Deno.test("Compactor compacts new rows and their sums soon", () =>
  withMemoryStore(async (store) => {
    const compactor = new Compactor(store, soon);
    const rows = [1, 2, 3].map((n) => sampleRow(n));
    for (const [n, row] of rows.entries()) {
      await leaveRows(store, [row], { isolateId: `isolate ${n}` });
      compactor.arrived(`isolate ${n}`);
    }
    assert(await eventually(nothingWaits(store)));
    assertEquals(await pagedRows(store), rows);
    assertEquals(await storedSums(store, "day"), expectedSums(rows, "day"));
    await compactor.close();
  }));

Deno.test("Compactor compacts rows that arrive while it compacts", () =>
  withMemoryStore(async (store) => {
    let next = 2;
    const arriving = watchedStore(store, {
      beforeCommit: async () => {
        if (next > 5) return;
        await leaveRows(store, [sampleRow(next++)]);
        compactor.arrived("isolate");
      },
    });
    const compactor = new Compactor(arriving, soon);
    await leaveRows(store, [sampleRow(1)]);
    compactor.arrived("isolate");
    const all = async () => next > 5 && await nothingWaits(store)();
    assert(await eventually(all));
    assertEquals((await pagedRows(store)).length, 5);
    await compactor.close();
  }));

Deno.test("Compactor: many arrivals are compacted by one commit for rows and one for sums", () =>
  withMemoryStore(async (store) => {
    await noteLogRetention(store, 0);
    await pruneRollups(store, Date.now());
    let commits = 0;
    const compactor = new Compactor(watchedStore(store, { afterCommit: () => void commits++ }), {
      rowsIntervalMs: 500,
    });
    for (let n = 0; n < 30; n++) {
      await leaveRows(store, [sampleRow(n)]);
      compactor.arrived("isolate");
    }
    assert(await eventually(nothingWaits(store)));
    assertEquals(commits, 2);
    await compactor.close();
  }));

Deno.test("Compactor: enough rows are compacted without delay, however late the next interval", () =>
  withMemoryStore(async (store) => {
    const compactor = new Compactor(store, { ...never, rowsEnough: 3 });
    for (const n of [1, 2]) await arrive(store, compactor, n);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assertEquals(await countKeys(store, keys.allWaitingRows), 2);
    await arrive(store, compactor, 3);
    assert(await eventually(nothingWaits(store)));
    await compactor.close();
  }));

Deno.test("Compactor: enough rows that arrive during a compaction are compacted after it", () =>
  withMemoryStore(async (store) => {
    let next = 3;
    const arriving = watchedStore(store, {
      beforeCommit: async () => {
        if (next <= 6) await arrive(store, compactor, next++);
      },
    });
    const compactor = new Compactor(arriving, { ...never, rowsEnough: 2 });
    for (const n of [1, 2]) await arrive(store, compactor, n);
    const enough = async () => next > 6 && await countKeys(store, keys.allWaitingRows) < 2;
    assert(await eventually(enough));
    await compactor.close();
    assertEquals((await pagedRows(store)).length, 6);
  }));

Deno.test("Compactor waits on a shared store, whose writes are billed", () =>
  withMemoryStore(async (local) => {
    const store = new Store(local.kv, { ...local, sharedByProcesses: true });
    const compactor = new Compactor(store);
    await arrive(store, compactor, 1);
    await new Promise((resolve) => setTimeout(resolve, 800)); // a local store has compacted by then
    assertEquals(await countKeys(store, keys.allWaitingRows), 1);
    await compactor.close();
    assert(await nothingWaits(store)());
  }));

async function arrive(store: Store, compactor: Compactor, n: number): Promise<void> {
  await leaveRows(store, [sampleRow(n)]);
  compactor.arrived("isolate");
}

Deno.test("Compactor.close compacts the rest at once, and arrivals after it start nothing", () =>
  withMemoryStore(async (store) => {
    const compactor = new Compactor(store, never);
    await leaveRows(store, [sampleRow(1)]);
    compactor.arrived("isolate");
    await compactor.close();
    assert(await nothingWaits(store)());
    await leaveRows(store, [sampleRow(2)]);
    compactor.arrived("isolate");
    assertEquals(await countKeys(store, keys.allWaitingRows), 1);
  }));

Deno.test("Compactor reports a failure and retries", () =>
  withMemoryStore(async (store) => {
    let failures = 0;
    const failing = watchedStore(store, {
      beforeCommit: () => {
        if (failures < 3) throw new Error("out of order");
      },
    });
    const compactor = new Compactor(failing, { ...soon, onError: () => failures++ });
    await leaveRows(store, [sampleRow(1)]);
    compactor.arrived("isolate");
    assert(await eventually(nothingWaits(store)));
    assertEquals(failures, 3);
    await compactor.close();
  }));
