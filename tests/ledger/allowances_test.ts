import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { GatewayError } from "../../lib/canonical/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { getSpent, leasedOf, listAllowances } from "../../lib/store/money/mod.ts";
import { farStore } from "../store/failing_store.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { type MoneyRequest, moneyRequest, TestIsolate } from "./isolates.ts";

const allowanceId = "budget:key:test:total";

/** Calls until one is refused; says how many went through. */
async function callsUntilRefused(isolate: TestIsolate, request: MoneyRequest, cost: bigint) {
  for (let done = 0;; done++) {
    try {
      await isolate.call([moneyRequest(request)], cost, pause);
    } catch (error) {
      assert(error instanceof GatewayError && error.code === "insufficient_quota", `${error}`);
      return done;
    }
  }
}

/** Other calls go on meanwhile. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function assertAddsUp(store: Store): Promise<void> {
  for (const { id, allotted, spent } of await listAllowances(store)) {
    const leased = [...(await leasedOf(store, id)).values()].reduce((sum, one) => sum + one, 0n);
    assertEquals(allotted, spent + leased, `${id}: allotted = spent + leased`);
  }
}

const cost = 1_000n;
const limits: readonly (MoneyRequest & { readonly name: string })[] = [
  { name: "reserving what they cost", limit: 100n * cost, amount: cost },
  {
    name: "reserving five times what they cost",
    limit: 100n * cost,
    amount: 5n * cost,
    least: cost,
  },
  {
    name: "reserving more than there is",
    limit: 100n * cost,
    amount: 1_000n * cost,
    least: cost,
  },
  { name: "with a rest that pays for none", limit: 100n * cost + 999n, amount: cost },
  {
    name: "with a rest, reserving more",
    limit: 100n * cost + 999n,
    amount: 3n * cost,
    least: cost,
  },
];

for (const isolates of [1, 2, 3]) {
  for (const { name, ...request } of limits) {
    Deno.test(`64 callers in ${isolates} isolates, ${name}: exactly 100 calls`, async () => {
      await withMemoryStore(async (store) => {
        const all = Array.from({ length: isolates }, (_, at) => new TestIsolate(store, `i${at}`));
        const done = await Promise.all(
          Array.from(
            { length: 64 },
            (_, at) => callsUntilRefused(all[at % isolates], request, cost),
          ),
        );
        assertEquals(done.reduce((sum, one) => sum + one), 100);
        assertEquals(await getSpent(store, allowanceId), 100n * cost);
        for (const isolate of all) await isolate.close();
        await assertAddsUp(store);
      });
    });
  }
}

for (const { name, ...request } of limits) {
  Deno.test(`64 callers in 2 isolates far from their store, ${name}: exactly 100 calls`, async () => {
    await withMemoryStore(async (store) => {
      const all = ["a", "b"].map((name) => new TestIsolate(farStore(store, 8), name));
      const done = await Promise.all(
        Array.from({ length: 64 }, (_, at) => callsUntilRefused(all[at % 2], request, cost)),
      );
      assertEquals(done.reduce((sum, one) => sum + one), 100);
      for (const isolate of all) await isolate.close();
    });
  });
}

Deno.test("a call that used more than was set aside is charged what there is, never more", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const request = moneyRequest({ limit: 1_000n, amount: 100n });
    await isolate.call([request], 700n);
    await isolate.call([request], 700n);
    assertEquals(await getSpent(store, allowanceId), 1_000n);
    await assertRejects(() => isolate.call([request], 1n), GatewayError);
    await isolate.close();
    await assertAddsUp(store);
  });
});

Deno.test("a refused request gives back what others had set aside", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const rich = moneyRequest({ allowanceId: "budget:a", limit: 1_000n, amount: 600n });
    const poor = moneyRequest({ allowanceId: "budget:b", limit: 10n, amount: 600n });
    await assertRejects(() => isolate.call([rich, poor], 1n), GatewayError);
    await isolate.call([rich], 600n);
    assertEquals(await getSpent(store, "budget:a"), 600n);
    await isolate.close();
  });
});

Deno.test("a limit that was lowered counts at once", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    await isolate.call([moneyRequest({ limit: 100_000n, amount: 100n })], 100n);
    const lower = { limit: 150n, amount: 100n };
    await assertRejects(() => isolate.call([moneyRequest(lower)], 100n), GatewayError);
    assertEquals(await getSpent(store, allowanceId), 100n);
    await isolate.close();
  });
});

Deno.test("no allowance is overspent, whatever calls overlap in whatever isolates", async () => {
  const call = fc.record({
    isolate: fc.nat(2),
    amount: fc.bigInt(1n, 400n),
    used: fc.bigInt(0n, 500n),
    turns: fc.nat(3),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { maxLength: 40 }),
      fc.bigInt(1n, 2_000n),
      async (calls, limit) => {
        await withMemoryStore(async (store) => {
          const all = [0, 1, 2].map((at) => new TestIsolate(store, `i${at}`));
          await Promise.allSettled(
            calls.map(({ isolate, amount, used, turns }) =>
              all[isolate].call([moneyRequest({ limit, amount, waitMs: 50 })], used, async () => {
                for (let turn = 0; turn < turns; turn++) await pause();
              })
            ),
          );
          assert(await getSpent(store, allowanceId) <= limit);
          for (const isolate of all) await isolate.close();
          await assertAddsUp(store);
        });
      },
    ),
    { numRuns: 100 },
  );
});
