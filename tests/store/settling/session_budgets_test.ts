import { assertEquals } from "@std/assert";
import { TestIsolate } from "../../ledger/isolates.ts";
import { moneyRequest } from "../../ledger/isolates.ts";
import { sessionBudgetId } from "../../../lib/store/money/budget.ts";
import { getSpent, listAllowances } from "../../../lib/store/money/mod.ts";
import { compactRows, forgetSessionBudgets } from "../../../lib/store/settling/mod.ts";
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
    assertEquals(await forgetSessionBudgets(store), 1);
    const left = (await listAllowances(store)).map(({ id }) => id);
    assertEquals(left, ["a:b", "busy", "fresh"].map(idOf));
    assertEquals(await getSpent(store, idOf("old")), 0n);
    assertEquals(await getSpent(store, idOf("a:b")), 60n);
    await isolate.close();
  });
});
