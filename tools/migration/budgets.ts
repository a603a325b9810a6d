import type { Budget, BudgetPeriod, CallLimits } from "../../lib/store/money/mod.ts";

/** The most that a budget may be: nine million dollars, far above any real one. */
const usdMax = 9_000_000;

/** Nano-dollars of an amount that the source keeps as a floating-point number. */
export function nanoOf(usd: number): bigint {
  const [whole, fraction] = Math.min(Math.max(usd, 0), usdMax).toFixed(9).split(".");
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction);
}

const dayPeriods = { day: 1, week: 7, month: 30 } as const;
const unitDays: Readonly<Record<string, number>> = {
  s: 1 / 86_400,
  m: 1 / 1_440,
  h: 1 / 24,
  d: 1,
  w: 7,
  mo: 30,
};

/** A budget for one of our periods, and how its amount or its period was changed. */
export interface ReadBudget {
  readonly budget: Budget;
  readonly how?: string;
}

/**
 * Reads a budget with a duration such as `30d`, `1mo` or `24h`. Another duration than a day, a week
 * or a month becomes the period below it, at the same rate.
 */
export function budgetFor(usd: number, duration: string): ReadBudget | undefined {
  const [, count = "1", unit = ""] = /^\s*(\d*)\s*(s|m|h|d|w|mo)\s*$/.exec(duration) ?? [];
  const days = Number(count || "1") * (unitDays[unit] ?? NaN);
  if (!(days > 0)) return undefined;
  if (days >= 28 && days <= 31) return { budget: budgetOf(usd, "month"), how: calendar };
  const period = days < 7 ? "day" : days < 28 ? "week" : "month";
  const share = dayPeriods[period] / days;
  if (share === 1) return { budget: budgetOf(usd, period), how: calendar };
  return { budget: budgetOf(usd * share, period), how: `the same rate per ${period}` };
}

const calendar = "starts at zero, and resets with the calendar's day, week or month";

/** The budget that is left of a total one; undefined if nothing is. */
export function leftOf(usd: number, spent: number): Budget | undefined {
  return usd > spent ? budgetOf(usd - spent, "total") : undefined;
}

function budgetOf(usd: number, period: BudgetPeriod): Budget {
  return { nanoUsd: nanoOf(usd), period };
}

/** The limits that are set, in whole numbers; absent if there are none. Zero is no limit here. */
export function limitsOf(
  limits: { readonly [Name in keyof CallLimits]: number | undefined },
): { readonly limits?: CallLimits } {
  const set = Object.entries(limits)
    .filter(([, value]) => value !== undefined && value >= 1)
    .map(([name, value]) => [name, Math.min(Math.floor(value), 1_000_000_000)]);
  return set.length > 0 ? { limits: Object.fromEntries(set) } : {};
}
