import { z } from "zod";
import { usdText } from "../canonical/mod.ts";
import { type Bounds, budgetPeriods } from "../store/money/mod.ts";
import { type BoundsField, budgetFields, limitFields } from "./bound_names.ts";

/** A limit of requests or tokens per minute, or of concurrent requests. */
export const callLimit = z.int("whole").min(1, "whole").max(999_999_999_999, "whole");

/** The values of a form of budgets and limits. */
export type BoundsValues = Readonly<Record<BoundsField, string>>;

/** Budgets and limits as the form's values; empty if there are none. */
export function boundsValues({ budgets = [], limits = {} }: Bounds): BoundsValues {
  const amounts = budgetPeriods.map((period) => {
    const budget = budgets.find((one) => one.period === period);
    return [budgetFields[period], budget ? usdText(budget.nanoUsd).slice(1) : ""];
  });
  const counts = limitFields.map((name) => [name, String(limits[name] ?? "")]);
  return Object.fromEntries([...amounts, ...counts]) as BoundsValues; // one for each field
}

/** Budgets and limits for the audit log. */
export function boundsWords(bounds: Bounds): Record<string, string | undefined> {
  const amounts: ReadonlySet<string> = new Set(Object.values(budgetFields));
  const words = Object.entries(boundsValues(bounds)).filter(([, text]) => text !== "")
    .map(([field, text]) => [field, amounts.has(field) ? `$${text}` : text]);
  const budgetZone = bounds.budgets?.find(({ timeZone }) => timeZone !== undefined)?.timeZone;
  return { budgetZone, ...Object.fromEntries(words) };
}
