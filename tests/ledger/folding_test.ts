import { assert, assertEquals } from "@std/assert";
import { Folder } from "../../lib/ledger/mod.ts";
import { noteLogRetention, openStore, pruneRollups, type Store } from "../../lib/store/mod.ts";
import { keys } from "../../lib/store/keys.ts";
import {
  countKeys,
  expectedSums,
  leaveRows,
  pagedRows,
  storedSums,
} from "../store/log/log_rows.ts";
import { sampleRow } from "../store/samples.ts";
import { eventually } from "../store/temp_store.ts";
import { watchedStore } from "../store/watched_store.ts";

async function inMemory(run: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore({ location: { type: "memory" } });
  try {
    await run(store);
  } finally {
    store.close();
  }
}

const soon = { rowsIntervalMs: 5, rollupsIntervalMs: 10 };
const never = { rowsIntervalMs: 1_000_000 };

function nothingWaits(store: Store): () => Promise<boolean> {
  return async () =>
    await countKeys(store, keys.allWaitingRows) + await countKeys(store, keys.allWaitingSums) === 0;
}

Deno.test("Folder folds what has arrived soon, rollups and all", () =>
  inMemory(async (store) => {
    const folder = new Folder(store, soon);
    const rows = [1, 2, 3].map((n) => sampleRow(n));
    for (const [n, row] of rows.entries()) {
      await leaveRows(store, [row], { isolateId: `isolate ${n}` });
      folder.arrived(`isolate ${n}`);
    }
    assert(await eventually(nothingWaits(store)));
    assertEquals(await pagedRows(store), rows);
    assertEquals(await storedSums(store, "day"), expectedSums(rows, "day"));
    await folder.close();
  }));

Deno.test("Folder folds rows that arrive while it folds", () =>
  inMemory(async (store) => {
    let next = 2;
    const arriving = watchedStore(store, {
      beforeCommit: async () => {
        if (next > 5) return;
        await leaveRows(store, [sampleRow(next++)]);
        folder.arrived("isolate");
      },
    });
    const folder = new Folder(arriving, soon);
    await leaveRows(store, [sampleRow(1)]);
    folder.arrived("isolate");
    const all = async () => next > 5 && await nothingWaits(store)();
    assert(await eventually(all));
    assertEquals((await pagedRows(store)).length, 5);
    await folder.close();
  }));

Deno.test("Folder: many arrivals are folded by one commit for rows and one for sums", () =>
  inMemory(async (store) => {
    await noteLogRetention(store, 0);
    await pruneRollups(store, Date.now());
    let commits = 0;
    const folder = new Folder(watchedStore(store, { afterCommit: () => void commits++ }), {
      rowsIntervalMs: 50,
    });
    for (let n = 0; n < 30; n++) {
      await leaveRows(store, [sampleRow(n)]);
      folder.arrived("isolate");
    }
    assert(await eventually(nothingWaits(store)));
    assertEquals(commits, 2);
    await folder.close();
  }));

Deno.test("Folder.close folds the rest at once, and arrivals after it start nothing", () =>
  inMemory(async (store) => {
    const folder = new Folder(store, never);
    await leaveRows(store, [sampleRow(1)]);
    folder.arrived("isolate");
    await folder.close();
    assert(await nothingWaits(store)());
    await leaveRows(store, [sampleRow(2)]);
    folder.arrived("isolate");
    assertEquals(await countKeys(store, keys.allWaitingRows), 1);
  }));

Deno.test("Folder tells of a failure and tries again", () =>
  inMemory(async (store) => {
    let failures = 0;
    const failing = watchedStore(store, {
      beforeCommit: () => {
        if (failures < 3) throw new Error("out of order");
      },
    });
    const folder = new Folder(failing, { ...soon, onError: () => failures++ });
    await leaveRows(store, [sampleRow(1)]);
    folder.arrived("isolate");
    assert(await eventually(nothingWaits(store)));
    assertEquals(failures, 3);
    await folder.close();
  }));
