import { assert, assertEquals } from "@std/assert";
import type { Share } from "../../lib/ledger/allowances.ts";
import { HeartbeatMonitor, sweepIsolate, sweepSilent } from "../../lib/ledger/leases/sweep.ts";
import { type InFlight, listIsolates } from "../../lib/store/isolates/mod.ts";
import { getRequestLog, listRequestLogs } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { getSpent, leasedOf, listAllowances } from "../../lib/store/money/mod.ts";
import { compactRows, listBooked } from "../../lib/store/settling/mod.ts";
import { type Commit, withCommit } from "../store/failing_store.ts";
import { sampleRow } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { dyingAfter, failingOnce } from "./failing_store.ts";
import { moneyRequest, TestIsolate } from "./isolates.ts";

const allowanceId = "budget:key:test:total";
const request = moneyRequest({ limit: 100_000n, amount: 1_000n });
const flightsOf = (count: number): InFlight[] =>
  Array.from({ length: count }, (_, number) => ({
    row: sampleRow(number, { id: `req_flight_${number}`, outcome: "truncated", costNanoUsd: 300n }),
    moneyIds: [allowanceId],
  }));

/** An isolate with calls in flight, as its last heart-beat saw them, that is heard of no more. */
async function deadIsolate(store: Store, calls: number): Promise<TestIsolate> {
  const isolate = new TestIsolate(store, "dead");
  await isolate.call([request], 500n);
  for (let call = 0; call < calls; call++) await isolate.allowances.reserve([request]);
  assert(await isolate.serial.run(() => isolate.membership.beat(flightsOf(calls))));
  return isolate;
}

async function assertSwept(store: Store, calls: number): Promise<void> {
  assertEquals(await getSpent(store, allowanceId), 500n + 300n * BigInt(calls));
  for (const { allotted, spent } of await listAllowances(store)) assertEquals(allotted, spent);
  assertEquals([...await leasedOf(store, allowanceId)], []);
  assertEquals(await listIsolates(store), []);
  const { rows } = await listRequestLogs(store, { limit: 100 });
  assertEquals(rows.length, calls + 1);
  assertEquals(new Set(rows.map(({ id }) => id)).size, calls + 1);
}

Deno.test("a dead isolate's calls are settled at what is known of them, and its leases go back", async () => {
  await withMemoryStore(async (store) => {
    const dead = await deadIsolate(store, 3);
    await sweepIsolate(store, dead.membership.id ?? "");
    await assertSwept(store, 3);
    await dead.close();
  });
});

Deno.test("a dead isolate's call whose lease is gone is charged nothing that nobody paid", async () => {
  await withMemoryStore(async (store) => {
    const dead = new TestIsolate(store, "dead");
    await dead.settle([], 0n); // makes its record
    assert(await dead.serial.run(() => dead.membership.beat(flightsOf(1))));
    await sweepIsolate(store, dead.membership.id ?? "");
    assertEquals(await getSpent(store, allowanceId), 0n);
    const row = await getRequestLog(store, "req_flight_0");
    assertEquals([row?.costNanoUsd, row?.uncoveredNanoUsd], [0n, 300n]);
    for await (const charge of listBooked(store, "charged")) assertEquals(charge.nanoUsd, 0n);
    await dead.close();
  });
});

Deno.test("sweeping twice, or by five at once, is sweeping once", async () => {
  await withMemoryStore(async (store) => {
    const dead = await deadIsolate(store, 20);
    const id = dead.membership.id ?? "";
    await Promise.all(Array.from({ length: 5 }, () => sweepIsolate(store, id)));
    await sweepIsolate(store, id);
    await assertSwept(store, 20);
    await dead.close();
  });
});

Deno.test("a call that was settled after the last heart-beat is not settled again", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "dead");
    const shares = await isolate.allowances.reserve([request]);
    await isolate.settle([], 0n); // makes its record
    const row = sampleRow(7, { id: "req_dead_1", costNanoUsd: 300n });
    await isolate.serial.run(() =>
      isolate.membership.beat([{ row: { ...row, outcome: "truncated" }, moneyIds: [allowanceId] }])
    );
    await isolate.settle(shares, 800n);
    await sweepIsolate(store, isolate.membership.id ?? "");
    assertEquals(await getSpent(store, allowanceId), 800n);
    assertEquals((await getRequestLog(store, "req_dead_1"))?.outcome, "completed");
    await isolate.close();
  });
});

Deno.test("an isolate that was only frozen does not settle what its sweeper has settled", async () => {
  await withMemoryStore(async (store) => {
    const frozen = new TestIsolate(store, "frozen");
    await frozen.settle([], 0n);
    const { epoch } = frozen.membership;
    const held: (readonly Share[])[] = [];
    for (let call = 0; call < 2; call++) held.push(await frozen.allowances.reserve([request]));
    const row = sampleRow(1, { id: "req_frozen_1", outcome: "truncated", costNanoUsd: 300n });
    await frozen.serial.run(() => frozen.membership.beat([{ row, moneyIds: [allowanceId] }]));
    await sweepIsolate(store, frozen.membership.id ?? "");
    assertEquals(await getSpent(store, allowanceId), 300n);

    await frozen.settle(held[0], 900n, epoch); // req_frozen_1: the sweeper's row stays
    await frozen.settle(held[1], 700n, epoch); // req_frozen_2: nobody knew of it
    await compactRows(store);
    assertEquals(await getSpent(store, allowanceId), 1_000n);
    assertEquals((await getRequestLog(store, "req_frozen_1"))?.costNanoUsd, 300n);
    assertEquals((await getRequestLog(store, "req_frozen_2"))?.costNanoUsd, 700n);
    await frozen.close();
  });
});

Deno.test("a commit of calls that cost more than was reserved leases all of it, although the isolate was swept just before", async () => {
  await withMemoryStore(async (store) => {
    const frozen = { next: false };
    const around = async (commit: Commit) => {
      const result = await commit();
      if (!frozen.next) return result;
      frozen.next = false;
      await sweepIsolate(store, isolate.membership.id ?? "");
      return result;
    };
    const isolate: TestIsolate = new TestIsolate(withCommit(store, around), "frozen");
    const calls: (readonly Share[])[] = [];
    for (let call = 0; call < 3; call++) calls.push(await isolate.allowances.reserve([request]));
    frozen.next = true;
    const first = isolate.settle([], 0n); // the others share the next commit
    await Promise.all([first, ...calls.map((shares) => isolate.settle(shares, 24_000n))]);
    const [{ allotted, spent }] = await listAllowances(store);
    const held = [...(await leasedOf(store, allowanceId)).values()].reduce((a, b) => a + b, 0n);
    assertEquals({ allotted, spent }, { allotted: 72_000n + held, spent: 72_000n });
    await isolate.close();
  });
});

Deno.test("a sweeper that dies between any two commits leaves the rest to the next", async () => {
  for (let commits = 0; commits < 30; commits++) {
    await withMemoryStore(async (store) => {
      const dead = await deadIsolate(store, 4);
      const id = dead.membership.id ?? "";
      await sweepIsolate(dyingAfter(store, commits), id).catch(() => {});
      await sweepIsolate(store, id);
      await assertSwept(store, 4);
      await dead.close();
    });
  }
});

Deno.test("a commit that fails, stored or not, leaves every call in the log once", async () => {
  for (const stored of [false, true]) {
    await withMemoryStore(async (store) => {
      const isolate = new TestIsolate(failingOnce(store, stored), "one");
      await isolate.call([request], 400n);
      await isolate.call([request], 400n);
      for (const id of isolate.membership.fenced.splice(0)) await sweepIsolate(store, id);
      await sweepIsolate(store, isolate.membership.id ?? "");
      const { rows } = await listRequestLogs(store, { limit: 10 });
      assertEquals(rows.map(({ id }) => id).sort(), ["req_one_0", "req_one_1"]);
      assertEquals(await getSpent(store, allowanceId), 800n);
      for (const { allotted, spent } of await listAllowances(store)) assertEquals(allotted, spent);
      await isolate.close();
    });
  }
});

Deno.test("the sweeper goes by heartbeats, whether its clock is ahead or behind", async () => {
  await withMemoryStore(async (store) => {
    const alive = new TestIsolate(store, "alive");
    const dead = new TestIsolate(store, "dead");
    for (const isolate of [alive, dead]) await isolate.settle([], 0n); // makes its record
    const signs = new HeartbeatMonitor();
    for (let elapsedMs = 0; elapsedMs <= 40_000; elapsedMs += 10_000) {
      assert(await alive.serial.run(() => alive.membership.beat([])));
      await sweepSilent(store, signs, elapsedMs);
    }
    assertEquals((await listIsolates(store)).map(({ id }) => id), [alive.membership.id]);
    await alive.close();
    await dead.close();
  });
});
