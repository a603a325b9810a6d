import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Caller } from "../../lib/accounts/authorize.ts";
import { auditStore } from "../../lib/audit/mod.ts";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { isBoundByMoney, limitRequestsOf } from "../../lib/ledger/limit_requests.ts";
import { ownBudgets } from "../../lib/ledger/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { budgetId, childBudgetId, sessionBudgetId } from "../../lib/store/money/budget.ts";
import { type Budget, getSpent } from "../../lib/store/money/mod.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleGroup, sampleKey, sampleProject } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { TestIsolate } from "./isolates.ts";

/** Budgets of child keys within those of their parent, over one store. */

const endsAtMs = Date.now() + 3_600_000;

/** The most of each child, and of what is around it; undefined: no budget. */
interface Capped {
  readonly child?: bigint;
  readonly session?: bigint;
  readonly key?: bigint;
  readonly project?: bigint;
}

function callerOf(name: string, { child, session, key, project }: Capped): Caller {
  const of = (period: Budget["period"], nanoUsd?: bigint): Budget[] =>
    nanoUsd === undefined ? [] : [{ period, nanoUsd }];
  return {
    key: sampleKey({ budgets: [...of("total", key), ...of("session", session)] }),
    group: sampleGroup(),
    project: sampleProject({ budgets: of("5h", project) }),
    account: { spending: "unlimited" },
    session: { id: "build", agent: name },
    child: {
      name,
      endsAtMs,
      sessionId: "build",
      ...(child !== undefined && { nanoUsd: child }),
    },
  };
}

let calls = 0;

/** Returns true if the call was admitted. */
async function callOnce(
  isolate: TestIsolate,
  caller: Caller,
  { bound, cost }: { readonly bound: bigint; readonly cost: bigint },
): Promise<boolean> {
  const { epoch } = isolate.membership;
  const { key: { id: keyId, accountId }, session } = caller;
  try {
    const need = { nanoUsd: bound, leastNanoUsd: bound, tokens: 0n };
    const options = { timeZone: "UTC", moneyWaitMs: 2_000, nowMs: Date.now() };
    const shares = await isolate.allowances.reserve(limitRequestsOf(caller, need, options));
    await new Promise((resolve) => setTimeout(resolve, 0));
    const atMs = Date.now();
    const row = {
      id: requestIdOf(atMs, calls++),
      atMs,
      keyId,
      accountId,
      ...(session && { session }),
    };
    await isolate.settle(shares, cost, epoch, row);
    return true;
  } catch (error) {
    assert(error instanceof GatewayError && error.code === "insufficient_quota", `${error}`);
    return false;
  }
}

function spentBy(store: Store, name: string): Promise<bigint> {
  return getSpent(store, childBudgetId({ accountId: "owner", keyId: "key_1", endsAtMs, name }));
}

Deno.test("500 sub-agents with children of 20 names in three isolates spend no more than each may", async () => {
  await withMemoryStore(async (store) => {
    const isolates = ["a", "b", "c"].map((name) => new TestIsolate(store, name));
    const capped = { child: 1_000n, session: 19_000n, key: 18_000n, project: 17_000n };
    const admitted = await Promise.all(Array.from({ length: 500 }, (_, n) => {
      const caller = callerOf(`agent-${n % 20}`, capped);
      return callOnce(isolates[n % 3], caller, { bound: 100n, cost: BigInt(n % 101) });
    }));
    for (const isolate of isolates) await isolate.close();
    const spent = await Promise.all(
      Array.from({ length: 20 }, (_, n) => spentBy(store, `agent-${n}`)),
    );
    for (const [n, one] of spent.entries()) assert(one <= 1_000n, `agent-${n} spent ${one}`);
    const total = spent.reduce((sum, one) => sum + one, 0n);
    assert(total <= 17_000n && total > 15_000n, `spent ${total}`);
    assert(admitted.includes(false), "no budget was ever reached");
    assertEquals(await getSpent(store, budgetId("key", "key_1", "total")), total);
    assertEquals((await auditStore(store)).differences, []);
  });
});

const most = fc.option(fc.bigInt({ min: 0n, max: 5_000n }), { nil: undefined });
const call = fc.record({
  name: fc.constantFrom("a", "b"),
  isolate: fc.nat({ max: 2 }),
  bound: fc.bigInt({ min: 1n, max: 900n }),
  used: fc.nat({ max: 100 }),
});

Deno.test("no overlap of calls overspends a child, its session, its key or its project", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ child: most, session: most, key: most, project: most }),
      fc.array(call, { minLength: 1, maxLength: 40 }),
      async (capped, calls) => {
        await withMemoryStore(async (store) => {
          const isolates = ["a", "b", "c"].map((name) => new TestIsolate(store, name));
          const costs = await Promise.all(calls.map(async ({ name, isolate, bound, used }) => {
            const cost = bound * BigInt(used) / 100n;
            const paid = await callOnce(isolates[isolate], callerOf(name, capped), { bound, cost });
            return { name, cost: paid ? cost : 0n };
          }));
          for (const isolate of isolates) await isolate.close();
          const paidBy = (name?: string) =>
            costs.reduce((sum, one) => !name || one.name === name ? sum + one.cost : sum, 0n);
          const ids = [
            [capped.session, sessionBudgetId("owner", "key_1", "build")],
            [capped.key, budgetId("key", "key_1", "total")],
            [capped.project, budgetId("project", "research", "5h")],
          ] as const;
          for (const [limit, id] of ids) {
            if (limit === undefined) continue;
            assert(paidBy() <= limit, `${id} overspent`);
            assertEquals(await getSpent(store, id), paidBy());
          }
          for (const name of ["a", "b"]) {
            if (capped.child === undefined) continue;
            assert(paidBy(name) <= capped.child, `${name} overspent`);
            assertEquals(await spentBy(store, name), paidBy(name));
          }
          assertEquals((await auditStore(store)).differences, []);
        });
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("a call that costs more than its child key may spend is charged in full to its key", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const caller = callerOf("a", { child: 100n, key: 10_000n });
    assert(await callOnce(isolate, caller, { bound: 100n, cost: 1_000n }));
    assertEquals(await getSpent(store, budgetId("key", "key_1", "total")), 1_000n);
    assertEquals(await spentBy(store, "a"), 1_000n);
    assert(!await callOnce(isolate, caller, { bound: 1n, cost: 0n }), "the child had room");
    await isolate.close();
    assertEquals((await auditStore(store)).differences, []);
  });
});

Deno.test("300 sub-agents with budgets and sessions of their own that end together are all charged", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const { epoch } = isolate.membership;
    const need = { nanoUsd: 100n, leastNanoUsd: 100n, tokens: 0n };
    const options = { timeZone: "UTC", moneyWaitMs: 2_000, nowMs: Date.now() };
    const capped = { child: 1_000n, session: 1_000n, key: 1_000_000n };
    const shares = await Promise.all(Array.from({ length: 300 }, (_, n) => {
      const caller = { ...callerOf(`a${n}`, capped), session: { id: `s${n}` } };
      return isolate.allowances.reserve(limitRequestsOf(caller, need, options));
    }));
    await Promise.all(shares.map((one) => isolate.settle(one, 60n, epoch)));
    assertEquals(await getSpent(store, budgetId("key", "key_1", "total")), 18_000n);
    assertEquals([await spentBy(store, "a0"), await spentBy(store, "a299")], [60n, 60n]);
    await isolate.close();
  });
});

Deno.test("the budget of a child binds a caller without any other to priced models", () => {
  assert(!isBoundByMoney({ ...callerOf("a", {}), project: undefined, key: sampleKey() }));
  assert(isBoundByMoney({ ...callerOf("a", { child: 1n }), project: undefined, key: sampleKey() }));
});

Deno.test("the budgets that an answer's headers show are the key's, and not a child's to see", async () => {
  await withMemoryStore(async (store) => {
    const key = sampleKey({ budgets: [{ period: "day", nanoUsd: 5n }] });
    const { child, ...parent } = { ...callerOf("a", { child: 1n }), key };
    const moment = { nowMs: Date.now(), timeZone: "UTC" };
    assertEquals((await ownBudgets(store, parent, moment)).map(({ owner }) => owner), ["key"]);
    assertEquals(await ownBudgets(store, { ...parent, child }, moment), []);
  });
});
