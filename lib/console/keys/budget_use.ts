import { type LimitOwner, rollingMs } from "../../canonical/mod.ts";
import { periodOf } from "../../ledger/period.ts";
import type { ApiKey } from "../../store/api_keys/mod.ts";
import { budgetId } from "../../store/money/budget.ts";
import { type Budget, listSpending } from "../../store/money/mod.ts";
import type { AccountState } from "../session/state.ts";

/** A budget and how much of its current period is used. */
export interface BudgetUse {
  readonly budget: Budget;
  readonly timeZone: string;
  readonly spentNanoUsd: bigint;
  /** 1 if all of it is used. */
  readonly share: number;
  /** The time of its reset; absent for total and rolling budgets. */
  readonly endsAtMs?: number;
  /** The time at which the oldest spending of a rolling budget stops counting; absent if there is none. */
  readonly leavesAtMs?: number;
}

interface BudgetOwner {
  readonly owner: LimitOwner;
  readonly id: string;
  readonly budgets?: readonly Budget[];
}

/** The used share of each budget of a key. */
export function budgetsOfKey(state: AccountState, { id, budgets }: ApiKey): Promise<BudgetUse[]> {
  return budgetUses(state, { owner: "key", id, budgets });
}

/** The used share of each budget of an owner but that of its sessions, each of which uses its own. */
export async function budgetUses(state: AccountState, owner: BudgetOwner): Promise<BudgetUse[]> {
  const [uses] = await budgetUsesOf(state, [owner]);
  return uses;
}

/** The budget of each key with the largest used share, by the key's id. */
export async function fullestBudgets(
  state: AccountState,
  keys: readonly ApiKey[],
): Promise<ReadonlyMap<string, BudgetUse>> {
  const bounded = keys.filter(({ budgets = [] }) => budgets.length > 0);
  const uses = await budgetUsesOf(
    state,
    bounded.map(({ id, budgets }) => ({ owner: "key", id, budgets })),
  );
  return new Map(bounded.flatMap(({ id }, at) => {
    const [fullest] = uses[at].toSorted((a, b) => b.share - a.share);
    return fullest ? [[id, fullest] as const] : [];
  }));
}

/** The same of several owners, in order. */
export async function budgetUsesOf(
  { services: { store, config }, nowMs }: AccountState,
  owners: readonly BudgetOwner[],
): Promise<BudgetUse[][]> {
  const found = owners.flatMap(({ owner, id: ownerId, budgets = [] }, at) =>
    budgets.filter(({ period }) => period !== "session").map((budget) => {
      const timeZone = budget.timeZone ?? config.timeZone ?? "UTC";
      const period = periodOf(budget.period, timeZone, nowMs);
      const allowanceId = budgetId(owner, ownerId, period.id);
      return { at, budget, timeZone, period, allowanceId, windowMs: rollingMs(budget.period) };
    })
  );
  const spent = await listSpending(store, found, nowMs);
  const uses: BudgetUse[][] = owners.map(() => []);
  for (const [index, { at, budget, timeZone, period: { endsAtMs } }] of found.entries()) {
    const share = usedShare(spent[index].spentNanoUsd, budget.nanoUsd);
    const ends = endsAtMs === undefined ? {} : { endsAtMs };
    uses[at].push({ budget, timeZone, share, ...ends, ...spent[index] });
  }
  return uses;
}

/** The used share of a limit, above 1 if more is used than it allows. */
export function usedShare(used: bigint, limit: bigint): number {
  return limit > 0n ? Number(used * 10_000n / limit) / 10_000 : 1;
}
