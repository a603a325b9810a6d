import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { limitName } from "../../lib/canonical/mod.ts";
import { limitRequestsOf } from "../../lib/ledger/limit_requests.ts";
import { listAlerts } from "../../lib/store/alerts/mod.ts";
import { deleteApiKey, updateApiKey } from "../../lib/store/api_keys/mod.ts";
import { createGroup } from "../../lib/store/catalog/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { budgetId } from "../../lib/store/money/budget.ts";
import { updateUser } from "../../lib/store/users/mod.ts";
import { TestIsolate } from "../ledger/isolates.ts";
import { sampleGroup, sampleKey } from "../store/samples.ts";
import { testOnStores, withMemoryStore } from "../store/temp_store.ts";
import {
  addSpender,
  fund,
  openAlerts,
  raised,
  spend,
  spendBalance,
  spendBudget,
  spender,
  usd,
} from "./alerting.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const monthly = { kind: "money", name: limitName("key", "month") } as const;
const balance = { kind: "money", name: limitName("account", "balance") } as const;

testOnStores(
  "each threshold of a budget is reported once, with the amount spent",
  async (store) => {
    await addSpender(store);
    await using test = openAlerts(store);
    for (const cents of [499, 1, 299, 1, 100, 100]) {
      await spendBudget(store, cents);
      test.alerts.noteSpent(spender);
      await test.alerts.check();
      await test.alerts.check();
    }
    assertEquals(await raised(store), ["key 50", "key 80", "key 100"]);
    const { alerts: [{ id, atMs, expiresAtMs, ...last }] } = await listAlerts(store, { limit: 1 });
    assertMatch(id, /^alert_[0-9A-Z]{26}$/);
    assertEquals(expiresAtMs, atMs + 90 * dayMs);
    assertEquals(last, {
      type: "budget",
      owner: "key",
      ownerId: "key_1",
      name: "ci-nightly",
      accountId: "usr_1",
      allowanceId: "budget:key:key_1:2026-11",
      refused: false,
      threshold: 100,
      period: "month",
      periodId: "2026-11",
      timeZone: "UTC",
      endsAtMs: Date.UTC(2026, 11, 1),
      limitNanoUsd: 10n * usd,
      spentNanoUsd: 10n * usd,
    });
    assertEquals(test.told.filter((line) => line.startsWith("warn: Alert raised")).length, 3);
  },
);

Deno.test("a jump over two thresholds reports only the higher one", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await using test = openAlerts(store);
    await spendAndLook(store, test.alerts, 400);
    await spendAndLook(store, test.alerts, 500);
    assertEquals(await raised(store), ["key 80"]);
  }));

Deno.test("only owners that spent are checked, except at the start and every hour", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await spendBudget(store, 600);
    await using test = openAlerts(store);
    await test.alerts.check();
    assertEquals(await raised(store), ["key 50"], "what a process left that was killed");
    await spendBudget(store, 300);
    await test.alerts.check();
    assertEquals(await raised(store), ["key 50"]);
    test.clock.nowMs += 3_600_000;
    await test.alerts.check();
    assertEquals(await raised(store), ["key 50", "key 80"]);
  }));

Deno.test("close checks the noted owners once more", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    const { alerts } = openAlerts(store);
    await alerts.check();
    await spendBudget(store, 500);
    alerts.noteSpent(spender);
    await alerts.close();
    assertEquals(await raised(store), ["key 50"]);
  }));

Deno.test("each period reports its thresholds again", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await using test = openAlerts(store);
    await spendAndLook(store, test.alerts, 1_000);
    test.clock.nowMs = Date.UTC(2026, 11, 1);
    test.alerts.noteSpent(spender);
    await test.alerts.check();
    assertEquals(await raised(store), ["key 100"]);
    await spendBudget(store, 800, test.clock.nowMs);
    test.alerts.noteSpent(spender);
    await test.alerts.check();
    assertEquals(await raised(store), ["key 100", "key 80"]);
  }));

Deno.test("a rolling budget reports each threshold once, and again after its length has passed", () =>
  withMemoryStore(async (store) => {
    const budgets = [{ period: "5h", nanoUsd: 10n * usd }] as const;
    await addSpender(store);
    await updateApiKey(store, spender.keyId, (key) => ({ ...key, budgets }));
    await using test = openAlerts(store);
    const spendAndCheck = async (cents: number) => {
      await spend(store, budgetId("key", spender.keyId, "5h"), cents);
      test.alerts.noteSpent(spender);
      await test.alerts.check();
    };
    await spendAndCheck(600);
    await spendAndCheck(100);
    assertEquals(await raised(store), ["key 50"]);
    const { alerts: [{ atMs, ...alert }] } = await listAlerts(store, { limit: 1 });
    assert(alert.type === "budget" && alert.period === "5h");
    assert(Math.abs((alert.endsAtMs ?? 0) - atMs - 5 * hourMs) < 1_000);
    test.clock.nowMs += 5 * hourMs - 60_000;
    await spendAndCheck(0);
    assertEquals(await raised(store), ["key 50"]);
    test.clock.nowMs += 120_000;
    await spendAndCheck(0);
    assertEquals(await raised(store), ["key 50", "key 50"]);
  }));

Deno.test("refused calls report a used-up budget once, and only in its own period", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await using test = openAlerts(store);
    test.clock.nowMs = Date.UTC(2026, 11, 1) - 1_000;
    test.alerts.noteRefused(spender, monthly);
    test.clock.nowMs = Date.UTC(2026, 11, 1);
    test.alerts.noteSpent(spender);
    await test.alerts.check();
    assertEquals(await raised(store), [], "refused last month");
    test.alerts.noteRefused(spender, { ...monthly, kind: "requests" });
    await test.alerts.check();
    assertEquals(await raised(store), [], "refused for a limit that is no money");
    await spendBudget(store, 970, test.clock.nowMs);
    for (const name of ["key daily budget", "group monthly budget", monthly.name, monthly.name]) {
      test.alerts.noteRefused(spender, { kind: "money", name });
    }
    await test.alerts.check();
    test.alerts.noteRefused(spender, monthly);
    await test.alerts.check();
    assertEquals(await raised(store), ["key 100!"]);
  }));

Deno.test("a budget that is changed counts as another one", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await using test = openAlerts(store);
    await spendAndLook(store, test.alerts, 850);
    await updateApiKey(store, "key_1", (key) => ({
      ...key,
      budgets: [{ period: "month", nanoUsd: 20n * usd }],
    }));
    await spendAndLook(store, test.alerts, 100);
    assertEquals(await raised(store), ["key 80"]);
    await spendAndLook(store, test.alerts, 50);
    assertEquals(await raised(store), ["key 80", "key 50"]);
  }));

Deno.test("keys, groups and accounts are reported by their own budgets, in their own time zones", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    const budgets = [{ period: "day", nanoUsd: usd, timeZone: "Asia/Shanghai" }] as const;
    await createGroup(store, sampleGroup({ budgets }));
    await updateUser(store, "usr_1", (user) => ({ ...user, spending: "unlimited", budgets }));
    await using test = openAlerts(store, { timeZone: "America/New_York" });
    test.clock.nowMs = Date.UTC(2026, 10, 21, 23);
    const isolate = new TestIsolate(store, "a");
    const requests = limitRequestsOf(caller(budgets), {
      nanoUsd: usd,
      leastNanoUsd: usd,
      tokens: 0n,
    }, {
      nowMs: test.clock.nowMs,
      timeZone: "America/New_York",
      moneyWaitMs: 1,
    });
    await isolate.call(requests, usd / 2n);
    test.alerts.noteSpent(spender);
    await test.alerts.check();
    await isolate.close();
    const { alerts } = await listAlerts(store, { limit: 10 });
    const facts = alerts.map((alert) =>
      alert.type === "budget" && [alert.owner, alert.name, alert.accountId, alert.periodId]
    );
    assertEquals(
      new Set(facts.map(String)),
      new Set(["group,team,,2026-11-22", "account,ada@example.com,usr_1,2026-11-22"]),
    );
  }));

testOnStores(
  "a balance is reported once when it is low, and again after it recovered",
  async (store) => {
    await addSpender(store);
    await fund(store, 20n);
    await using test = openAlerts(store);
    const check = async (cents: number) => {
      await spendBalance(store, cents);
      test.alerts.noteSpent(spender);
      await test.alerts.check();
    };
    for (const cents of [1_500, 1, 100]) await check(cents);
    assertEquals(await raised(store), ["balance"]);
    test.alerts.noteRefused(spender, balance);
    await check(399);
    test.alerts.noteRefused(spender, balance);
    await check(0);
    assertEquals(await raised(store), ["balance", "balance!"]);
    await fund(store, 1n);
    await check(1);
    assertEquals(await raised(store), ["balance", "balance!"]);
    await fund(store, 20n);
    await check(1);
    await check(1_700);
    assertEquals(await raised(store), ["balance", "balance!", "balance"]);
  },
);

Deno.test("an account that spends without a balance has none that could be low", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await updateUser(store, "usr_1", (user) => ({ ...user, spending: "unlimited" }));
    await using test = openAlerts(store);
    await spendBalance(store, 100);
    test.alerts.noteSpent(spender);
    await test.alerts.check();
    assertEquals(await raised(store), []);
  }));

Deno.test("a key that was deleted is nobody's matter any more", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await using test = openAlerts(store);
    await spendBudget(store, 900);
    await deleteApiKey(store, "key_1");
    test.alerts.noteSpent(spender);
    await test.alerts.check();
    assertEquals(await raised(store), []);
  }));

testOnStores("two processes that check at once raise each alert once", async (store) => {
  await addSpender(store);
  await fund(store, 12n);
  await using one = openAlerts(store);
  await using other = openAlerts(store, {}, one.clock);
  for (let call = 0; call < 20; call++) {
    await Promise.all([spendBudget(store, 50), spendBalance(store, 50)]);
    for (const { alerts } of [one, other]) alerts.noteSpent(spender);
    await Promise.all([one.alerts.check(), other.alerts.check()]);
  }
  const told = await raised(store);
  assertEquals(told.filter((word) => word !== "balance"), ["key 50", "key 80", "key 100"]);
  assertEquals(told.filter((word) => word === "balance").length, 1);
});

Deno.test("however calls and checks interleave, each threshold is raised at most once and in order", async () => {
  const steps = fc.array(fc.record({ cents: fc.nat(400), who: fc.constantFrom(0, 1, 2) }), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      await withMemoryStore(async (store) => {
        await addSpender(store);
        await using one = openAlerts(store);
        await using other = openAlerts(store, {}, one.clock);
        const checking: Promise<void>[] = [];
        for (const { cents, who } of steps) {
          await spendBudget(store, cents);
          for (const { alerts } of [[one], [other], [one, other]][who]) {
            alerts.noteSpent(spender);
            checking.push(alerts.check());
          }
        }
        await Promise.all(checking);
        const told = (await raised(store)).map((word) => Number(word.split(" ")[1]));
        assertEquals(told, [...new Set(told)].sort((a, b) => a - b));
        const spent = steps.reduce((sum, { cents }) => sum + cents, 0);
        for (const { alerts } of [one, other]) {
          alerts.noteSpent(spender);
          await alerts.check();
        }
        const highest = Math.max(
          0,
          ...(await raised(store)).map((word) => Number(word.split(" ")[1])),
        );
        assertEquals(highest, spent >= 1_000 ? 100 : spent >= 800 ? 80 : spent >= 500 ? 50 : 0);
      });
    }),
    { numRuns: 25 },
  );
});

Deno.test("a store that does not answer costs nothing but time", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await using test = openAlerts(store);
    await test.alerts.check();
    await spendBudget(store, 900);
    test.alerts.noteSpent(spender);
    const { getMany } = store.kv;
    store.kv.getMany = () => Promise.reject(new Error("the store is away"));
    await test.alerts.check();
    store.kv.getMany = getMany;
    assert(test.told.some((line) => line.includes("the store is away")));
    await test.alerts.check();
    assertEquals(await raised(store), ["key 80"]);
  }));

async function spendAndLook(
  store: Store,
  alerts: ReturnType<typeof openAlerts>["alerts"],
  cents: number,
) {
  await spendBudget(store, cents);
  alerts.noteSpent(spender);
  await alerts.check();
}

function caller(
  budgets: readonly {
    readonly period: "day";
    readonly nanoUsd: bigint;
    readonly timeZone: string;
  }[],
) {
  return {
    key: sampleKey({ accountId: "usr_1" }),
    group: sampleGroup({ budgets }),
    account: { spending: "unlimited", budgets } as const,
  };
}
