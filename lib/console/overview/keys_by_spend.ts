import type { ApiKey } from "../../store/api_keys/mod.ts";
import type { Counts } from "../../store/usage/mod.ts";
import { budgetsOfKey, type BudgetUse } from "../keys/budget_use.ts";
import { type KeyStatus, keyStatusOf } from "../keys/key_status.ts";
import { tryLoad } from "../page/try_load.ts";
import type { AccountState } from "../session/state.ts";
import type { Spending } from "./spending.ts";

/** One of the keys with the highest spend. */
export interface SpentKey {
  readonly id: string;
  readonly counts: Counts;
  /** Absent for a key that was deleted. */
  readonly known?: {
    readonly apiKey: ApiKey;
    readonly status: KeyStatus;
    /** The fullest budget. */
    readonly budget?: BudgetUse;
  };
}

/** The status of the keys with the highest spend. */
export function keysBySpend(
  state: AccountState,
  { keys: spent }: Spending,
  keys: readonly ApiKey[],
): Promise<SpentKey[]> {
  const groups = state.services.directory.groups();
  return Promise.all(spent.map(async ({ id, counts }): Promise<SpentKey> => {
    const apiKey = keys.find((key) => key.id === id);
    if (apiKey === undefined) return { id, counts };
    const budgets = await tryLoad(budgetsOfKey(state, apiKey));
    const [budget] = (budgets ?? []).toSorted((a, b) => b.share - a.share);
    const status = keyStatusOf(apiKey, { groups, nowMs: state.nowMs, usedShare: budget?.share });
    return { id, counts, known: { apiKey, status, ...(budget && { budget }) } };
  }));
}
