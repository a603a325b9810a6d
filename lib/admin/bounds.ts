import { z } from "zod";
import { usdText } from "../canonical/mod.ts";
import type { BudgetPeriod, CallLimits } from "../store/money/mod.ts";
import type { User } from "../store/users/mod.ts";

export const periodOfField = {
  budgetDay: "day",
  budgetWeek: "week",
  budgetMonth: "month",
  budgetTotal: "total",
} as const satisfies Record<string, BudgetPeriod>;

export const limitFields = [
  "requestsPerMinute",
  "tokensPerMinute",
  "concurrency",
] as const satisfies (keyof CallLimits)[];

/** A limit of an account or a group. */
export const accountLimit = z.int("whole").min(1, "whole").max(1_000_000_000, "whole");

/** Budgets and limits as the form's values; empty if there are none. */
export function boundsValues({ budgets = [], limits = {} }: Pick<User, "budgets" | "limits">) {
  const amountOf = (period: BudgetPeriod) => {
    const budget = budgets.find((one) => one.period === period);
    return budget ? usdText(budget.nanoUsd).slice(1) : "";
  };
  return {
    budgetDay: amountOf("day"),
    budgetWeek: amountOf("week"),
    budgetMonth: amountOf("month"),
    budgetTotal: amountOf("total"),
    requestsPerMinute: String(limits.requestsPerMinute ?? ""),
    tokensPerMinute: String(limits.tokensPerMinute ?? ""),
    concurrency: String(limits.concurrency ?? ""),
  };
}

/** Budgets and limits for the audit log. */
export function boundsWords(
  bounds: Pick<User, "budgets" | "limits">,
): Record<string, string | undefined> {
  const words = Object.entries(boundsValues(bounds)).filter(([, text]) => text !== "")
    .map(([field, text]) => [field, Object.hasOwn(periodOfField, field) ? `$${text}` : text]);
  const budgetZone = bounds.budgets?.find(({ timeZone }) => timeZone !== undefined)?.timeZone;
  return { budgetZone, ...Object.fromEntries(words) };
}
