import { limitName } from "../canonical/mod.ts";
import { type Period, periodOf } from "../ledger/period.ts";
import { budgetId } from "../store/money/budget.ts";
import {
  type Alert,
  type Budget,
  type BudgetAlert,
  changeBudgetMark,
  getSpent,
  readBudgetMark,
} from "../store/mod.ts";
import { alertAbout, type Attempt, type LookOptions, raiseOnce, type Seen } from "./raise.ts";
import { type BudgetState, budgetStep, highestReached } from "./threshold.ts";

/** A budget in the period in which it was noted. */
interface Current {
  readonly budget: Budget;
  readonly timeZone: string;
  readonly period: Period;
  readonly allowanceId: string;
}

/** Marks of a period are kept for clocks that run behind. */
const afterPeriodMs = 86_400_000;

/** Looks at one budget and raises what is new of it. */
export async function lookAtBudget(
  seen: Seen,
  budget: Budget,
  options: LookOptions,
): Promise<Alert | undefined> {
  const current = currentOf(seen, budget, options);
  const state: BudgetState = {
    limitNanoUsd: budget.nanoUsd,
    spentNanoUsd: await getSpent(options.store, current.allowanceId),
    refused: wasRefused(seen, current),
  };
  if (!state.refused && highestReached(state, thresholdsOf(seen, options)) === 0) return undefined;
  return await raiseOnce(() => tell(seen, current, { ...options, state }));
}

async function tell(
  seen: Seen,
  current: Current,
  options: LookOptions & { readonly state: BudgetState },
): Promise<Attempt> {
  const { store, state, now } = options;
  const thresholds = thresholdsOf(seen, options);
  const read = await readBudgetMark(store, current.allowanceId, state.limitNanoUsd);
  const step = budgetStep(state, read.mark, thresholds);
  if (!step) return { raised: undefined };
  const { mark, threshold, refused } = step;
  const { endsAtMs } = current.period;
  const raised: BudgetAlert = {
    ...alertAbout(seen, options),
    ...aboutBudget(current, state),
    threshold,
    refused,
  };
  const expiresAtMs = endsAtMs === undefined ? undefined : endsAtMs + afterPeriodMs;
  const change = { mark, alert: raised, expiresAtMs, nowMs: now() };
  return await changeBudgetMark(store, read, change) ? { raised } : undefined;
}

function thresholdsOf({ owned }: Seen, { settings }: LookOptions): readonly number[] {
  return owned.thresholds ?? settings.thresholds;
}

function currentOf({ noted }: Seen, budget: Budget, options: LookOptions): Current {
  const timeZone = budget.timeZone ?? options.timeZone;
  const period = periodOf(budget.period, timeZone, noted.atMs);
  return { budget, timeZone, period, allowanceId: budgetId(noted.owner, noted.id, period.id) };
}

/** A refusal of the period before says nothing about this one. */
function wasRefused({ noted }: Seen, { budget, timeZone, period }: Current): boolean {
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
