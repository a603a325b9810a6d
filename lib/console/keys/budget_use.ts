import type { LimitOwner } from "../../canonical/mod.ts";
import { periodOf } from "../../ledger/period.ts";
import type { ApiKey } from "../../store/api_keys/mod.ts";
import { budgetId } from "../../store/money/budget.ts";
import { type Budget, getSpent } from "../../store/money/mod.ts";
import type { AccountState } from "../session/state.ts";

/** A budget and how much of its present period is used. */
export interface BudgetUse {
  readonly budget: Budget;
  readonly timeZone: string;
  readonly spentNanoUsd: bigint;
  /** 1 if all of it is used. */
  readonly share: number;
  /** The time of its reset; absent for a total budget. */
  readonly endsAtMs?: number;
}

/** The used share of each budget of a key. */
export function budgetsOfKey(state: AccountState, { id, budgets }: ApiKey): Promise<BudgetUse[]> {
  return budgetUses(state, { owner: "key", id, budgets });
}

/** The used share of each budget of an owner. */
export function budgetUses(
  { services: { store, config }, nowMs }: AccountState,
  { owner, id: ownerId, budgets = [] }: {
    readonly owner: LimitOwner;
    readonly id: string;
    readonly budgets?: readonly Budget[];
  },
): Promise<BudgetUse[]> {
  return Promise.all(budgets.map(async (budget) => {
    const timeZone = budget.timeZone ?? config.timeZone ?? "UTC";
    const { id, endsAtMs } = periodOf(budget.period, timeZone, nowMs);
    const spentNanoUsd = await getSpent(store, budgetId(owner, ownerId, id));
    const share = shareOf(spentNanoUsd, budget.nanoUsd);
    return { budget, timeZone, spentNanoUsd, share, ...(endsAtMs !== undefined && { endsAtMs }) };
  }));
}

function shareOf(spent: bigint, limit: bigint): number {
  return limit > 0n ? Number(spent * 10_000n / limit) / 10_000 : 1;
}
