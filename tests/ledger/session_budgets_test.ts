import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import type { Caller } from "../../lib/accounts/authorize.ts";
import { auditStore } from "../../lib/audit/mod.ts";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { isBoundByMoney, limitRequestsOf } from "../../lib/ledger/limit_requests.ts";
import type { Store } from "../../lib/store/mod.ts";
import { budgetId, sessionBudgetId } from "../../lib/store/money/budget.ts";
import { type Budget, getSpent } from "../../lib/store/money/mod.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleGroup, sampleKey } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { TestIsolate } from "./isolates.ts";

/** Budgets of a client's sessions, over one store. */

interface Capped {
  readonly key?: bigint;
  readonly group?: bigint;
  /** The header's. */
  readonly request?: bigint;
  /** The key's own total budget. */
  readonly total?: bigint;
}

/** The caller of a call of a session; sub-agents of it differ in their name alone. */
function callerOf(keyId: string, session: string | undefined, capped: Capped): Caller {
  const budgets = (perSession?: bigint, total?: bigint): { budgets?: Budget[] } => {
    const found: Budget[] = [];
    if (total !== undefined) found.push({ period: "total", nanoUsd: total });
    if (perSession !== undefined) found.push({ period: "session", nanoUsd: perSession });
    return found.length > 0 ? { budgets: found } : {};
  };
  const { key, group, request, total } = capped;
  return {
    key: sampleKey({ id: keyId, accountId: `usr_${keyId}`, ...budgets(key, total) }),
    group: sampleGroup(budgets(group)),
    account: { spending: "unlimited" },
    ...(session !== undefined && { session: { id: session } }),
    ...(request !== undefined && { sessionNanoUsd: request }),
  };
}

let calls = 0;

async function reserveIn(isolate: TestIsolate, caller: Caller, nanoUsd: bigint) {
  const need = { nanoUsd, leastNanoUsd: nanoUsd, tokens: 0n };
  const options = { timeZone: "UTC", moneyWaitMs: 2_000, nowMs: Date.now() };
  return await isolate.allowances.reserve(limitRequestsOf(caller, need, options));
}

/** Returns true if the call was admitted. */
async function callOnce(
  isolate: TestIsolate,
  caller: Caller,
  { bound, cost }: { readonly bound: bigint; readonly cost: bigint },
): Promise<boolean> {
  const { epoch } = isolate.membership;
  const { key, session } = caller;
  try {
    const shares = await reserveIn(isolate, caller, bound);
    await new Promise((resolve) => setTimeout(resolve, 0));
    await isolate.settle(shares, cost, epoch, {
      id: requestIdOf(Date.now(), calls++),
      atMs: Date.now(),
      keyId: key.id,
      accountId: key.accountId,
      ...(session && { session }),
    });
    return true;
  } catch (error) {
    assert(error instanceof GatewayError && error.code === "insufficient_quota", `${error}`);
    return false;
  }
}

const spentIn = (store: Store, keyId: string, session: string) =>
  getSpent(store, sessionBudgetId(`usr_${keyId}`, keyId, session));

Deno.test("500 sub-agents at once in three isolates spend no more than their session may", async () => {
  await withMemoryStore(async (store) => {
    const isolates = ["a", "b", "c"].map((name) => new TestIsolate(store, name));
    const caller = callerOf("key", "s", { key: 10_000n });
    const admitted = await Promise.all(
      Array.from(
        { length: 500 },
        (_, n) => callOnce(isolates[n % 3], caller, { bound: 100n, cost: BigInt(n % 101) }),
      ),
    );
    for (const isolate of isolates) await isolate.close();
    const spent = await spentIn(store, "key", "s");
    assert(spent <= 10_000n, `spent ${spent}`);
    assert(spent > 9_000n, `calls were refused although ${10_000n - spent} was left`);
    assert(admitted.filter((one) => !one).length > 0, "the budget was never reached");
    assertEquals((await auditStore(store)).differences, []);
  });
});

const limit = fc.option(fc.bigInt({ min: 0n, max: 5_000n }), { nil: undefined });
const call = fc.record({
  key: fc.constantFrom("k1", "k2"),
  session: fc.constantFrom("s", "t", undefined),
  isolate: fc.nat({ max: 2 }),
  bound: fc.bigInt({ min: 1n, max: 900n }),
  used: fc.nat({ max: 100 }),
});

Deno.test("no overlap of calls overspends a session, and sessions of two keys are apart", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ key: limit, group: limit, request: limit, total: limit }),
      fc.array(call, { minLength: 1, maxLength: 40 }),
      async (capped, calls) => {
        await withMemoryStore(async (store) => {
          const isolates = ["a", "b", "c"].map((name) => new TestIsolate(store, name));
          const admitted = await Promise.all(calls.map(({ key, session, isolate, bound, used }) => {
            const caller = callerOf(key, session, capped);
            return callOnce(isolates[isolate], caller, {
              bound,
              cost: bound * BigInt(used) / 100n,
            });
          }));
          for (const isolate of isolates) await isolate.close();
          const { key = 5_000_000n, group = 5_000_000n, request = 5_000_000n, total } = capped;
          const most = [key, group, request].reduce((least, one) => one < least ? one : least);
          for (const keyId of ["k1", "k2"]) {
            for (const session of ["s", "t"]) {
              const spent = await spentIn(store, keyId, session);
              assert(spent <= most, `${keyId} ${session} overspent: ${spent} of ${most}`);
              const paid = calls.reduce(
                (sum, one, at) =>
                  admitted[at] && one.key === keyId && one.session === session
                    ? sum + one.bound * BigInt(one.used) / 100n
                    : sum,
                0n,
              );
              if (most < 5_000_000n) assertEquals(spent, paid);
            }
            const spent = await getSpent(store, budgetId("key", keyId, "total"));
            if (total !== undefined) assert(spent <= total, `${keyId} overspent`);
          }
          assertEquals((await auditStore(store)).differences, []);
        });
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("the refusal of a session says what was spent and how to go on", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const capped = { key: 5_000_000_000n, group: 2_000_000_000n };
    const caller = callerOf("key", "build-7", capped);
    assert(await callOnce(isolate, caller, { bound: 1_500_000_000n, cost: 1_500_000_000n }));
    const error = await assertRejects(
      () => reserveIn(isolate, caller, 600_000_000n),
      GatewayError,
    );
    assertEquals([error.code, error.status], ["insufficient_quota", 402]);
    assertEquals(
      error.message,
      "Cannot start the call: $1.5 of the session build-7 budget of $2 is spent or reserved, this " +
        "call may cost up to $0.6: start a new session, shorten the prompt or the answer, or raise " +
        "the budget per session of the key or its group, or of the header tessera-session-budget",
    );
    assertEquals(error.retryAfterSeconds, undefined);
    for (const other of ["build-8", undefined]) {
      const call = { bound: 600_000_000n, cost: 0n };
      assert(await callOnce(isolate, callerOf("key", other, capped), call), `${other} was refused`);
    }
    assert(await callOnce(isolate, caller, { bound: 500_000_000n, cost: 500_000_000n }));
    await isolate.close();
  });
});

Deno.test("a budget of a request binds a caller without any other to priced models", () => {
  assert(!isBoundByMoney(callerOf("key", "s", {})));
  assert(isBoundByMoney(callerOf("key", "s", { request: 1n })));
  assert(isBoundByMoney(callerOf("key", "s", { group: 1n })));
});

Deno.test("a call that costs more than its session may spend is charged in full to its key", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const caller = callerOf("key", "s", { request: 100n, total: 10_000n });
    assert(await callOnce(isolate, caller, { bound: 100n, cost: 1_000n }));
    assertEquals(await getSpent(store, budgetId("key", "key", "total")), 1_000n);
    assertEquals(await spentIn(store, "key", "s"), 1_000n);
    assert(!await callOnce(isolate, caller, { bound: 1n, cost: 0n }), "the session had room");
    await isolate.close();
    assertEquals((await auditStore(store)).differences, []);
  });
});
