import type { ApiKey } from "../api_keys/api_key.ts";
import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { type ChildBudget, childBudgetId, childOfBudget } from "./budget.ts";

/**
 * Lists the child keys of a key whose budgets were used and that end at `fromMs` or later, the next
 * end first; at most `limit`.
 */
export async function listChildBudgets(
  store: Store,
  { id: keyId, accountId }: Pick<ApiKey, "id" | "accountId">,
  { fromMs, limit }: { readonly fromMs: number; readonly limit: number },
): Promise<ChildBudget[]> {
  const place = (endsAtMs: number) =>
    keys.allowance(childBudgetId({ accountId, keyId, endsAtMs, name: "" }));
  const range = { start: place(fromMs), end: place(Number.MAX_SAFE_INTEGER) };
  const found: ChildBudget[] = [];
  for await (const { key } of store.kv.list(range, { limit })) {
    found.push(childOfBudget(String(key.at(-1))));
  }
  return found;
}

/** Returns true if a child key has used its budget. */
export async function isChildBudgetUsed(store: Store, child: ChildBudget): Promise<boolean> {
  return (await store.kv.get(keys.allowance(childBudgetId(child)))).value !== null;
}
