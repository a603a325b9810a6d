import type { BalanceMark, BudgetMark } from "../store/alerts/mod.ts";

/** How a budget stands. Amounts are nano-dollars. */
export interface BudgetState {
  readonly limitNanoUsd: bigint;
  readonly spentNanoUsd: bigint;
  /** Calls were refused for it since the last check. */
  readonly refused: boolean;
}

/** What is told of a budget, and what was told of it from then on. */
interface BudgetStep {
  readonly mark: BudgetMark;
  readonly threshold: number;
  readonly refused: boolean;
}

/** How a prepaid balance stands. Amounts are nano-dollars. */
interface BalanceState {
  readonly fundedNanoUsd: bigint;
  readonly spentNanoUsd: bigint;
  /** Calls were refused for it since the last check. */
  readonly refused: boolean;
}

/** What there is to tell of a balance, if anything. */
interface BalanceStep {
  /** Undefined: it is in order again. */
  readonly mark: BalanceMark | undefined;
  readonly tell?: { readonly refused: boolean };
}

const usedUp = 100;
const untold: BudgetMark = { reached: 0, refused: false };

/** How much of a budget is used, in whole percent: 100 only once all of it is. */
export function percentUsed(
  { limitNanoUsd, spentNanoUsd }: Pick<BudgetState, "limitNanoUsd" | "spentNanoUsd">,
): number {
  return Number(spentNanoUsd * 100n / limitNanoUsd);
}

/**
 * The highest of the thresholds (percentages) that a budget has reached; 0 where none.  */
export function highestReached(
  { limitNanoUsd, spentNanoUsd }: BudgetState,
  thresholds: readonly number[],
): number {
  const reached = thresholds.filter((one) => spentNanoUsd * 100n >= limitNanoUsd * BigInt(one));
  return Math.max(0, ...reached);
}

/**
 * Undefined where there is nothing new to tell. Of several thresholds that were passed at once only
 * the highest is told, as it says all that the lower ones would. A refusal counts as 100 %,
 * because what is left does not pay for the calls that are asked for; whichever of both comes
 * first is told.
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
 * Undefined where neither the mark changes nor anything is to be told. It is told once that a
 * balance is low and once that calls are refused for it, until money came in that brought it back
 * above what counts as low. An account that never spent anything is not low, but new.
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
 * Whether the balance was in order since the last check, although it may be spent again:
 * money came in, and with it there was enough before more was spent.
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
