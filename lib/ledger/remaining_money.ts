import type { Caller } from "../accounts/authorize.ts";
import { type BoundOwner, rollingMs } from "../canonical/mod.ts";
import type { Store } from "../store/mod.ts";
import type { BudgetPeriod, CalendarPeriod } from "../store/money/mod.ts";
import { useOf } from "./bounds.ts";
import { currentLimitsOf, type LimitTime } from "./current_limits.ts";

/** A budget in its current period, or the balance of an account. Amounts are nano-dollars. */
export interface RemainingMoney {
  /** Such as `key daily budget` or `account balance`. */
  readonly name: string;
  readonly owner: BoundOwner;
  /** Absent for a balance. */
  readonly period?: BudgetPeriod;
  /** Absent for a balance. */
  readonly limitNanoUsd?: bigint;
  /** At least 0. Calls that still run are not deducted. */
  readonly remainingNanoUsd: bigint;
  /** The end of the period, or when the oldest spending leaves a rolling window; else absent. */
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
  return await Promise.all(limits.map(async (limit) => {
    const { left = 0n, leavesAtMs: resetsAtMs = limit.state.resetsAtMs } = await useOf(
      store,
      limit,
      moment.nowMs,
    );
    return {
      name: limit.state.name,
      owner: limit.owner,
      ...(limit.period !== undefined && { period: limit.period }),
      ...(limit.state.limit !== undefined && { limitNanoUsd: limit.state.limit }),
      remainingNanoUsd: left,
      ...(resetsAtMs !== undefined && { resetsAtMs }),
    };
  }));
}

/** The limit with the least left; undefined if there is none. */
export function leastRemaining(limits: readonly RemainingMoney[]): RemainingMoney | undefined {
  return limits.reduce<RemainingMoney | undefined>(
    (least, one) => least && least.remainingNanoUsd <= one.remainingNanoUsd ? least : one,
    undefined,
  );
}

/** A budget that only the caller spends, with its end. */
export interface OwnBudget extends RemainingMoney {
  readonly limitNanoUsd: bigint;
  readonly resetsAtMs: number;
  /** The spent part of it, from 0 to 1. */
  readonly spentPart: number;
  /** The length of its period; a month counts as 30 days. */
  readonly lengthMs: number;
}

const dayMs = 86_400_000;
/** A budget in total and one of a session do not reset. */
const calendarMs = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs, total: 0, session: 0 };

/**
 * The budgets of the caller's key and account that reset, the fullest first. None for a child key,
 * which may not read what its parent spends.
 */
export async function ownBudgets(
  store: Store,
  caller: Caller,
  moment: LimitTime,
): Promise<OwnBudget[]> {
  if (caller.child) return [];
  const all = (await remainingMoney(store, caller, moment)).filter(isOwn);
  return all.flatMap((one) => {
    const { limitNanoUsd, remainingNanoUsd, resetsAtMs, period = "total" } = one;
    if (limitNanoUsd === undefined || resetsAtMs === undefined) return [];
    const lengthMs = rollingMs(period) ?? calendarMs[period as CalendarPeriod]; // not rolling
    const spentPart = 1 - Number(remainingNanoUsd) / Math.max(1, Number(limitNanoUsd));
    return [{ ...one, limitNanoUsd, resetsAtMs, spentPart, lengthMs }];
  }).sort((a, b) => b.spentPart - a.spentPart);
}

/**
 * Returns true for a limit of the key, its account, a session or a child of it. Amounts of the
 * others, such as the organization's, would show every holder of a key what everybody spends.
 */
export function isOwn({ owner }: Pick<RemainingMoney, "owner">): boolean {
  return ownOwners.has(owner);
}

const ownOwners: ReadonlySet<BoundOwner> = new Set(["key", "account", "session", "child"]);
