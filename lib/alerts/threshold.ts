import type { BalanceMark, BudgetMark } from "../store/alerts/mod.ts";

/** The state of a budget. Amounts are nano-dollars. */
export interface BudgetState {
  readonly limitNanoUsd: bigint;
  readonly spentNanoUsd: bigint;
  /** True if calls were refused because of it since the last check. */
  readonly refused: boolean;
}

/** A new alert about a budget, and its mark from then on. */
interface BudgetStep {
  readonly mark: BudgetMark;
  readonly threshold: number;
  readonly refused: boolean;
}

/** The state of a prepaid balance. Amounts are nano-dollars. */
interface BalanceState {
  readonly fundedNanoUsd: bigint;
  readonly spentNanoUsd: bigint;
  /** True if calls were refused because of it since the last check. */
  readonly refused: boolean;
}

/** The new mark of a balance, and its alert, if any. */
interface BalanceStep {
  /** Undefined once the balance has recovered. */
  readonly mark: BalanceMark | undefined;
  readonly tell?: { readonly refused: boolean };
}

const usedUp = 100;
const untold: BudgetMark = { reached: 0, refused: false };

/** The highest threshold (percentage) that a budget has reached; 0 if none. */
export function highestReached(
  { limitNanoUsd, spentNanoUsd }: BudgetState,
  thresholds: readonly number[],
): number {
  const reached = thresholds.filter((one) => spentNanoUsd * 100n >= limitNanoUsd * BigInt(one));
  return Math.max(0, ...reached);
}

/**
 * Returns undefined if there is nothing new to report. If several thresholds were passed at once,
 * only the highest is reported, since it implies the lower ones. A refusal counts as 100 %, because
 * the rest does not pay for the requested calls; only the first of both is reported.
 */
export function budgetStep(
  state: BudgetState,
  mark: BudgetMark = untold,
  thresholds: readonly number[],
): BudgetStep | undefined {
  const reached = Math.max(mark.reached, highestReached(state, thresholds));
  const toldUsedUp = mark.refused || mark.reached === usedUp;
  if (state.refused && !toldUsedUp) {
    return { mark: { reached, refused: true }, threshold: usedUp, refused: true };
  }
  if (reached === mark.reached || (reached === usedUp && mark.refused)) return undefined;
  return { mark: { ...mark, reached }, threshold: reached, refused: false };
}

/**
 * Returns undefined if neither the mark changes nor an alert is due. A low balance and refused
 * calls are each reported once, until new money lifts the balance above the limit. An account that
 * never spent anything is new, not low.
 */
export function balanceStep(
  state: BalanceState,
  mark: BalanceMark | undefined,
  lowNanoUsd: bigint,
): BalanceStep | undefined {
  const { fundedNanoUsd, spentNanoUsd } = state;
  const before = mark && hasRecovered(state, mark, lowNanoUsd) ? undefined : mark;
  const low = spentNanoUsd > 0n && fundedNanoUsd - spentNanoUsd < lowNanoUsd;
  const refused = state.refused || (before?.refused ?? false);
  if (!low && !refused) return mark && { mark: undefined };
  const newlyRefused = refused && !before?.refused;
  const newlyLow = low && !before?.low;
  const next: BalanceMark = { low, refused, fundedNanoUsd, spentNanoUsd };
  if (newlyRefused || newlyLow) return { mark: next, tell: { refused: newlyRefused } };
  return before && isSame(before, next) ? undefined : { mark: next };
}

/**
 * Returns true if the balance has recovered since the last check, even if it is low again: new
 * money had lifted it above the limit in between.
 */
function hasRecovered(
  { fundedNanoUsd }: BalanceState,
  mark: BalanceMark,
  lowNanoUsd: bigint,
): boolean {
  return fundedNanoUsd > mark.fundedNanoUsd && fundedNanoUsd - mark.spentNanoUsd >= lowNanoUsd;
}

function isSame(one: BalanceMark, other: BalanceMark): boolean {
  return one.low === other.low && one.fundedNanoUsd === other.fundedNanoUsd &&
    one.spentNanoUsd === other.spentNanoUsd;
}
