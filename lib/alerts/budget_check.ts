import { limitName, rollingMs } from "../canonical/mod.ts";
import { type Period, periodOf } from "../ledger/period.ts";
import { type Alert, type BudgetAlert, changeMark, readBudgetMark } from "../store/alerts/mod.ts";
import { budgetId } from "../store/money/budget.ts";
import { type Budget, getSpending } from "../store/money/mod.ts";
import {
  alertAbout,
  type CheckedOwner,
  type CheckOptions,
  type Raised,
  raiseOnce,
} from "./owner.ts";
import { type BudgetState, budgetStep, highestReached } from "./threshold.ts";

/** A budget, in the period in which its owner was noted. */
interface Current {
  readonly budget: Budget;
  readonly timeZone: string;
  readonly period: Period;
  readonly allowanceId: string;
  /** Present for a rolling budget. */
  readonly windowMs?: number;
}

/** Time for which marks outlive their period, for clocks that run behind. */
const afterPeriodMs = 86_400_000;

/** Checks one budget and raises an alert if it reached a new threshold. */
export async function checkBudget(
  checked: CheckedOwner,
  budget: Budget,
  options: CheckOptions,
): Promise<Alert | undefined> {
  const current = currentOf(checked, budget, options);
  const { spentNanoUsd } = await getSpending(options.store, current, checked.noted.atMs);
  const state: BudgetState = {
    limitNanoUsd: budget.nanoUsd,
    spentNanoUsd,
    refused: wasRefused(checked, current),
  };
  if (!state.refused && highestReached(state, thresholdsOf(checked, options)) === 0) {
    return undefined;
  }
  return await raiseOnce(() => raise(checked, current, { ...options, state }));
}

async function raise(
  checked: CheckedOwner,
  current: Current,
  options: CheckOptions & { readonly state: BudgetState },
): Promise<Raised | undefined> {
  const { store, state, now } = options;
  const thresholds = thresholdsOf(checked, options);
  const read = await readBudgetMark(store, current.allowanceId, state.limitNanoUsd);
  const { endsAtMs } = current.period;
  const isOver = (read.mark?.endsAtMs ?? Infinity) <= checked.noted.atMs;
  const step = budgetStep(state, isOver ? undefined : read.mark, thresholds);
  if (!step) return { raised: undefined };
  const { threshold, refused } = step;
  const mark = { ...step.mark, ...(current.windowMs !== undefined && { endsAtMs }) };
  const raised: BudgetAlert = {
    ...alertAbout(checked.noted, checked.owned, options),
    ...aboutBudget(current, state),
    threshold,
    refused,
  };
  const expiresAtMs = endsAtMs === undefined ? undefined : endsAtMs + afterPeriodMs;
  const change = { mark, alert: raised, expiresAtMs, nowMs: now() };
  return await changeMark(store, read, change) ? { raised } : undefined;
}

function thresholdsOf({ owned }: CheckedOwner, { settings }: CheckOptions): readonly number[] {
  return owned.thresholds ?? settings.thresholds;
}

function currentOf({ noted }: CheckedOwner, budget: Budget, options: CheckOptions): Current {
  const timeZone = budget.timeZone ?? options.timeZone;
  const period = periodOf(budget.period, timeZone, noted.atMs);
  const allowanceId = budgetId(noted.owner, noted.id, period.id);
  const windowMs = rollingMs(budget.period);
  if (windowMs === undefined) return { budget, timeZone, period, allowanceId };
  const ends = { ...period, endsAtMs: noted.atMs + windowMs };
  return { budget, timeZone, period: ends, allowanceId, windowMs };
}

/** Ignores a refusal of an earlier period. */
function wasRefused({ noted }: CheckedOwner, { budget, timeZone, period }: Current): boolean {
  const atMs = noted.refusals.get(limitName(noted.owner, budget.period));
  return atMs !== undefined && periodOf(budget.period, timeZone, atMs).id === period.id;
}

function aboutBudget({ budget, timeZone, period, allowanceId }: Current, state: BudgetState) {
  return {
    type: "budget",
    allowanceId,
    period: budget.period,
    periodId: period.id,
    timeZone,
    ...(period.endsAtMs !== undefined && { endsAtMs: period.endsAtMs }),
    limitNanoUsd: state.limitNanoUsd,
    spentNanoUsd: state.spentNanoUsd,
  } as const;
}
