import { assertEquals } from "@std/assert";
import { TestIsolate } from "../../ledger/isolates.ts";
import { moneyRequest } from "../../ledger/isolates.ts";
import { childBudgetId, sessionBudgetId } from "../../../lib/store/money/budget.ts";
import { getSpent, listAllowances } from "../../../lib/store/money/mod.ts";
import { compactRows, forgetBudgets } from "../../../lib/store/settling/mod.ts";
import { pruneRollups } from "../../../lib/store/usage/mod.ts";
import { requestIdOf } from "../log/row_arbitrary.ts";
import { withMemoryStore } from "../temp_store.ts";

const dayMs = 86_400_000;

Deno.test("a session's spending is forgotten 30 days after its last call, not while it is called", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const idOf = (session: string) => sessionBudgetId("owner", "key", session);
    const reserveIn = (session: string) =>
      isolate.allowances.reserve([
        moneyRequest({ allowanceId: idOf(session), limit: 1_000n, amount: 100n }),
      ]);
    const callIn = async (session: string, days: number) => {
      const atMs = Date.now() - days * dayMs;
      const call = { id: requestIdOf(atMs, days), atMs, keyId: "key", session: { id: session } };
      await isolate.settle(await reserveIn(session), 60n, isolate.membership.epoch, call);
    };
    await callIn("old", 31);
    await callIn("a:b", 29);
    await callIn("busy", 32);
    await reserveIn("busy");
    for (const lease of isolate.allowances.leases()) await isolate.allowances.giveBackFree(lease);
    await compactRows(store);
    await pruneRollups(store, Date.now());
    await callIn("fresh", 0); // waits for its compaction
    for (const lease of isolate.allowances.leases()) await isolate.allowances.giveBackFree(lease);
    assertEquals(await forgetBudgets(store, Date.now()), 1);
    const left = (await listAllowances(store)).map(({ id }) => id);
    assertEquals(left, ["a:b", "busy", "fresh"].map(idOf));
    assertEquals(await getSpent(store, idOf("old")), 0n);
    assertEquals(await getSpent(store, idOf("a:b")), 60n);
    await isolate.close();
  });
});

Deno.test("a child key's spending is forgotten a day after its end, not while a call holds it", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const nowMs = Date.now();
    const idOf = (name: string, days: number) =>
      childBudgetId({ accountId: "owner", keyId: "key", endsAtMs: nowMs - days * dayMs, name });
    const ids = [idOf("a:b", 1.1), idOf("held", 1.2), idOf("late", 0.9), idOf("live", -0.5)];
    const held = [];
    for (const allowanceId of ids) {
      const request = moneyRequest({ allowanceId, limit: 1_000n, amount: 100n });
      const shares = await isolate.allowances.reserve([request]);
      if (allowanceId === ids[1]) held.push(shares);
      else await isolate.settle(shares, 60n);
    }
    for (const lease of isolate.allowances.leases()) await isolate.allowances.giveBackFree(lease);
    assertEquals(await forgetBudgets(store, nowMs), 1);
    const left = (await listAllowances(store)).map(({ id }) => id);
    assertEquals(left.toSorted(), ids.slice(1).toSorted());
    assertEquals(await getSpent(store, ids[0]), 0n);
    await isolate.settle(held[0], 60n);
    for (const lease of isolate.allowances.leases()) await isolate.allowances.giveBackFree(lease);
    assertEquals(await forgetBudgets(store, nowMs), 1);
    await isolate.close();
  });
});

Deno.test("more budgets than are read together are forgotten, and none that is needed", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "one");
    const nowMs = Date.now();
    const idOf = (n: number) =>
      childBudgetId({
        accountId: "owner",
        keyId: "key",
        endsAtMs: nowMs - (n % 2 === 0 ? 2 : 0) * dayMs,
        name: `n${n}`,
      });
    await Promise.all(Array.from({ length: 1_100 }, async (_, n) => {
      const request = moneyRequest({ allowanceId: idOf(n), limit: 1_000n, amount: 100n });
      await isolate.settle(await isolate.allowances.reserve([request]), 60n);
    }));
    for (const lease of isolate.allowances.leases()) await isolate.allowances.giveBackFree(lease);
    assertEquals(await forgetBudgets(store, nowMs), 550);
    const left = (await listAllowances(store)).map(({ id }) => id);
    assertEquals(
      left.toSorted(),
      Array.from({ length: 550 }, (_, n) => idOf(2 * n + 1)).toSorted(),
    );
    await isolate.close();
  });
});
