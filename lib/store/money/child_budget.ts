import type { ApiKey } from "../api_keys/api_key.ts";
import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { listSpending } from "./allowance.ts";
import { type ChildBudget, childBudgetId, childOfBudget } from "./budget.ts";

/** A child key with what it has spent of its budget, in nano-dollars. */
export interface ChildSpending extends ChildBudget {
  readonly spentNanoUsd: bigint;
}

/**
 * Lists the child keys of a key whose budgets were used and that end at `fromMs` or later, the last
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
  for await (const { key } of store.kv.list(range, { limit, reverse: true })) {
    found.push(childOfBudget(String(key.at(-1))));
  }
  return found;
}

/** Lists them with what each has spent, in nano-dollars. */
export async function listChildSpending(
  ...[store, key, query]: Parameters<typeof listChildBudgets>
): Promise<ChildSpending[]> {
  const children = await listChildBudgets(store, key, query);
  const ids = children.map((child) => ({ allowanceId: childBudgetId(child) }));
  const spending = await listSpending(store, ids, query.fromMs);
  return children.map((child, at) => ({ ...child, spentNanoUsd: spending[at].spentNanoUsd }));
}

/** Returns true if a child key has used its budget. */
export async function isChildBudgetUsed(store: Store, child: ChildBudget): Promise<boolean> {
  return (await store.kv.get(keys.allowance(childBudgetId(child)))).value !== null;
}
