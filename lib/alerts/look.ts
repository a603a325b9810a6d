import { type Alert, listApiKeys, listGroups, listUsers, type Store } from "../store/mod.ts";
import { lookAtBalance } from "./balance_look.ts";
import { lookAtBudget } from "./budget_look.ts";
import type { NotedOwner, NotedOwners } from "./noted_owners.ts";
import { readOwner } from "./owner.ts";
import type { LookOptions } from "./raise.ts";

/** Looks at the budgets and the balance of one owner, and raises what is new. */
export async function lookAt(noted: NotedOwner, options: LookOptions): Promise<Alert[]> {
  const owned = await readOwner(options.store, noted.owner, noted.id);
  if (!owned) return [];
  const seen = { noted, owned };
  const raised = [];
  for (const budget of owned.budgets) raised.push(await lookAtBudget(seen, budget, options));
  if (owned.prepaid) raised.push(await lookAtBalance(seen, options));
  return raised.filter((alert) => alert !== undefined);
}

/**
 * Notes everybody whose money can run low: for what nobody noted, such as a budget that was made
 * smaller, or calls that another process settled and did not live to note.
 */
export async function noteEverybody(
  store: Store,
  owners: NotedOwners,
  atMs: number,
): Promise<void> {
  const [apiKeys, groups, users] = await Promise.all([
    listApiKeys(store),
    listGroups(store),
    listUsers(store),
  ]);
  for (const { id, budgets } of apiKeys) if (budgets) owners.note("key", id, atMs);
  for (const { id, budgets } of groups) if (budgets) owners.note("group", id, atMs);
  for (const { id } of users) owners.note("account", id, atMs);
}
