import { assertEquals } from "@std/assert";
import { activeAlerts } from "../../lib/alerts/mod.ts";
import { updateApiKey } from "../../lib/store/api_keys/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { updateUser } from "../../lib/store/users/mod.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import {
  addSpender,
  fund,
  nowMs,
  openAlerts,
  spendBalance,
  spendBudget,
  spender,
  usd,
} from "./alerting.ts";

/** The active alerts, such as `key 8.5 of 10` or `account 4`, in dollars. */
async function active(store: Store, atMs = nowMs, accountId?: string): Promise<string[]> {
  const alerts = await activeAlerts(store, { accountId, nowMs: atMs, limit: 5 });
  return alerts.map((alert) => {
    if (alert.type === "usage") return `upstream ${alert.upstreamId}`;
    if (alert.type === "retirement") return `model ${alert.model}`;
    if (alert.type === "cache") return `session ${alert.sessionId}`;
    return alert.type === "budget"
      ? `${alert.owner} ${dollars(alert.spentNanoUsd)} of ${dollars(alert.limitNanoUsd)}`
      : `${alert.owner} ${dollars(alert.balanceNanoUsd)}`;
  });
}

function dollars(nanoUsd: bigint): number {
  return Number(nanoUsd) / 1e9;
}

async function raiseBoth(store: Store): Promise<void> {
  await addSpender(store);
  await fund(store, 20n);
  await using test = openAlerts(store);
  for (const cents of [500, 350]) {
    await Promise.all([spendBudget(store, cents), spendBalance(store, cents * 2)]);
    test.alerts.noteSpent(spender);
    await test.alerts.check();
  }
}

function testStanding(name: string, run: (store: Store) => Promise<void>): void {
  Deno.test(`activeAlerts: ${name}`, () =>
    withMemoryStore(async (store) => {
      await raiseBoth(store);
      await run(store);
    }));
}

testStanding("one alert for each budget and balance, as it is now", async (store) => {
  assertEquals(await active(store), ["account 3", "key 8.5 of 10"]);
  await Promise.all([spendBudget(store, 100), spendBalance(store, 100)]);
  assertEquals(await active(store), ["account 2", "key 9.5 of 10"]);
});

testStanding("to its own account, and to who sees all", async (store) => {
  assertEquals((await active(store, nowMs, "usr_1")).length, 2);
  assertEquals(await active(store, nowMs, "usr_2"), []);
});

testStanding("none of a budget whose period is over", async (store) => {
  assertEquals(await active(store, Date.UTC(2026, 11, 1)), ["account 3"]);
});

testStanding("none of a budget that was changed", async (store) => {
  await updateApiKey(store, "key_1", (key) => ({
    ...key,
    budgets: [{ period: "month", nanoUsd: 11n * usd }],
  }));
  assertEquals(await active(store), ["account 3"]);
});

testStanding("none of a balance that recovered, or is not needed any more", async (store) => {
  await fund(store, 1n);
  assertEquals(await active(store), ["account 4", "key 8.5 of 10"]);
  await fund(store, 1n);
  assertEquals(await active(store), ["key 8.5 of 10"]);
  await spendBalance(store, 300);
  await updateUser(store, "usr_1", (user) => ({ ...user, spending: "unlimited" }));
  assertEquals(await active(store), ["key 8.5 of 10"]);
});

Deno.test("activeAlerts: an alert about refused calls outranks later ones", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await using test = openAlerts(store);
    test.alerts.noteRefused(spender, { kind: "money", name: "key monthly budget" });
    await test.alerts.check();
    await spendBudget(store, 600);
    test.alerts.noteSpent(spender);
    await test.alerts.check();
    const alerts = await activeAlerts(store, { nowMs, limit: 5 });
    assertEquals(alerts.map(({ refused }) => refused), [true]);
  }));
