import type { Caller } from "../accounts/authorize.ts";
import type { LimitOwner } from "../canonical/mod.ts";
import type { Store } from "../store/mod.ts";
import { type AllowanceLimit, balanceOf, type BudgetPeriod, getSpent } from "../store/money/mod.ts";
import { type CurrentLimit, currentLimitsOf, type LimitTime } from "./current_limits.ts";

/** A budget in its current period, or the balance of an account. Amounts are nano-dollars. */
export interface RemainingMoney {
  /** Such as `key daily budget` or `account balance`. */
  readonly name: string;
  readonly owner: LimitOwner;
  /** Absent for a balance. */
  readonly period?: BudgetPeriod;
  /** Absent for a balance. */
  readonly limitNanoUsd?: bigint;
  /** At least 0. Calls that still run are not deducted. */
  readonly remainingNanoUsd: bigint;
  /** The end of the period; absent for a total budget and a balance. */
  readonly resetsAtMs?: number;
}

/**
 * The budgets that bind a caller at every level, and a prepaid account's balance, with what
 * remains of each. Empty if money does not limit the caller.
 */
export async function remainingMoney(
  store: Store,
  caller: Caller,
  moment: LimitTime,
): Promise<RemainingMoney[]> {
  const limits = currentLimitsOf(caller, moment).filter(({ kind, limit }) =>
    kind === "money" && limit.type !== "none"
  );
  return await Promise.all(limits.map(async (limit) => ({
    name: limit.state.name,
    owner: limit.owner,
    ...(limit.period !== undefined && { period: limit.period }),
    ...(limit.state.limit !== undefined && { limitNanoUsd: limit.state.limit }),
    remainingNanoUsd: atLeastZero(await remainderOf(store, limit, limit.limit)),
    ...(limit.endsAtMs !== undefined && { resetsAtMs: limit.endsAtMs }),
  })));
}

/** The limit with the least left; undefined if there is none. */
export function leastRemaining(limits: readonly RemainingMoney[]): RemainingMoney | undefined {
  return limits.reduce<RemainingMoney | undefined>(
    (least, one) => least && least.remainingNanoUsd <= one.remainingNanoUsd ? least : one,
    undefined,
  );
}

async function remainderOf(
  store: Store,
  { allowanceId }: CurrentLimit,
  limit: AllowanceLimit,
): Promise<bigint> {
  switch (limit.type) {
    case "amount":
      return limit.amount - await getSpent(store, allowanceId);
    case "wallet":
      return await balanceOf(store, limit.accountId);
    case "none":
      return 0n;
    default:
      return limit satisfies never;
  }
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
