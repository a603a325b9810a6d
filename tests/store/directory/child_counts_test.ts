import { assertEquals } from "@std/assert";
import { ChildCounts } from "../../../lib/store/directory/child_counts.ts";
import { keys } from "../../../lib/store/keys.ts";
import { childBudgetId, childOfBudget } from "../../../lib/store/money/budget.ts";
import { listChildBudgets } from "../../../lib/store/money/mod.ts";
import { withMemoryStore } from "../temp_store.ts";

const key = { id: "key_1", accountId: "owner" };
const childOf = (name: string, endsAtMs: number, keyId = key.id) => ({
  accountId: key.accountId,
  keyId,
  name,
  endsAtMs,
});

Deno.test("childBudgetId is read back, with any name that a token may state", () => {
  for (const name of ["reviewer", "a:b::c", ":", "A.b-c_1"]) {
    assertEquals(childOfBudget(childBudgetId(childOf(name, 1_000))), childOf(name, 1_000));
  }
});

Deno.test("a key has at most so many live children with budgets, in all isolates together", async () => {
  await withMemoryStore(async (store) => {
    const use = (name: string, endsAtMs: number, keyId?: string) =>
      store.kv.set(keys.allowance(childBudgetId(childOf(name, endsAtMs, keyId))), {});
    await use("over", 999);
    await use("sibling", 2_000, "key_10");
    await use("used", 2_000);
    const counts = new ChildCounts(store, 3);
    const admits = (name: string, nowMs: number) =>
      counts.admits(key, { name, endsAtMs: 2_000 }, nowMs);
    assertEquals(await admits("a", 1_000), true);
    assertEquals(await admits("b", 1_000), true);
    assertEquals(await admits("c", 1_000), false);
    assertEquals(await admits("used", 1_000), true); // has its record already
    assertEquals(
      await counts.admits({ ...key, id: "key_10" }, { name: "c", endsAtMs: 2_000 }, 1_000),
      true,
    );
    await use("elsewhere", 2_000);
    await use("elsewhere-2", 2_000);
    assertEquals(
      await new ChildCounts(store, 3).admits(key, { name: "d", endsAtMs: 2_000 }, 1_000),
      false,
    );
    assertEquals(await admits("d", 12_000), true); // all have ended
    const live = await listChildBudgets(store, key, { fromMs: 1_000, limit: 9 });
    assertEquals(live.map(({ name }) => name), ["used", "elsewhere-2", "elsewhere"]);
  });
});
