import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { sweepIsolate } from "../../lib/ledger/leases/sweep.ts";
import type { Isolate } from "../../lib/store/isolates/mod.ts";
import { listRequestLogs } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { getSpent, leasedOf, listAllowances } from "../../lib/store/money/mod.ts";
import { type Commit, withCommit, withSet } from "../store/failing_store.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { moneyRequest, TestIsolate } from "./isolates.ts";

const allowanceId = "budget:key:test:total";

/** The outcome of a commit. */
type Fate = "stored" | "lost" | "stored but not told";

/** A store whose commits meet those fates, and then no more failures. */
function fated(store: Store, fates: readonly Fate[]): Store {
  let commits = 0;
  return withCommit(store, async (commit) => {
    const fate = fates[commits++] ?? "stored";
    if (fate === "lost") throw new Error("the connection broke");
    const result = await commit();
    if (fate === "stored") return result;
    throw new Error("the connection broke");
  });
}

async function assertAddsUp(store: Store): Promise<void> {
  for (const { id, allotted, spent } of await listAllowances(store)) {
    const leased = [...(await leasedOf(store, id)).values()].reduce((sum, one) => sum + one, 0n);
    assertEquals(allotted, spent + leased, `${id}: allotted = spent + leased`);
  }
}

Deno.test("nothing leaks and nothing is spent twice, whichever commits fail, stored or not", async () => {
  const fate = fc.constantFrom<Fate>("stored", "stored", "lost", "stored but not told");
  const step = fc.record({
    amount: fc.bigInt(1n, 300n),
    used: fc.bigInt(0n, 400n),
    givesBack: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fate, { maxLength: 30 }),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.bigInt(100n, 3_000n),
      async (fates, steps, limit) => {
        await withMemoryStore(async (store) => {
          const isolate = new TestIsolate(fated(store, fates), "one");
          for (const { amount, used, givesBack } of steps) {
            const request = moneyRequest({ limit, amount, waitMs: 1 });
            await isolate.call([request], used).catch(() => {});
            if (givesBack) await isolate.allowances.recalled(allowanceId, true).catch(() => {});
          }
          await isolate.close();
          const { fenced, id } = isolate.membership;
          for (const one of [...fenced, ...(id ? [id] : [])]) await sweepIsolate(store, one);
          assert(await getSpent(store, allowanceId) <= limit);
          await assertAddsUp(store);
          const { rows } = await listRequestLogs(store, { limit: 100 });
          const charged = rows.reduce((sum, { costNanoUsd = 0n }) => sum + costNanoUsd, 0n);
          assertEquals(await getSpent(store, allowanceId), charged);
        });
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("an isolate that hears that it was swept while it covers a dear call charges it once", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const request = moneyRequest({ limit: 100_000n, amount: 100n });
    await isolate.settle([], 0n); // makes its record
    const { epoch } = isolate.membership;
    const shares = await isolate.allowances.reserve([request]);
    await sweepIsolate(store, isolate.membership.id ?? "");
    await isolate.settle(shares, 50_000n, epoch);
    await isolate.close();
    assertEquals(await getSpent(store, allowanceId), 50_000n);
    await assertAddsUp(store);
  });
});

Deno.test("a call is charged once if its commit succeeds after its outcome was unknown and the sweep failed", async () => {
  await withMemoryStore(async (memory) => {
    const late: Commit[] = [];
    let failedSweeps = 0;
    let commits = 0;
    const hanging = withCommit(memory, async (commit) => {
      if (++commits !== 2) return await commit(); // the first leases
      late.push(commit);
      throw memory.health.error("silent");
    });
    const isolate = new TestIsolate(
      withSet(hanging, async (value, set) => {
        if ((value as Isolate).runId !== "swept" || failedSweeps === 3) return await set();
        failedSweeps++;
        throw memory.health.error("silent");
      }),
      "one",
    );
    await isolate.call([moneyRequest({ limit: 1_000n, amount: 400n })], 400n);
    assertEquals(await Promise.all(late.map(async (commit) => (await commit()).ok)), [false]);
    assertEquals(failedSweeps, 3);
    await isolate.close();
    const { rows } = await listRequestLogs(memory, { limit: 10 });
    assertEquals(rows.map(({ id }) => id), ["req_one_0"]);
    assertEquals(await getSpent(memory, allowanceId), 400n);
    await assertAddsUp(memory);
  });
});
