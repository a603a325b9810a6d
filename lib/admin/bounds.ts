import { z } from "zod";
import { usdText } from "../canonical/mod.ts";
import { readUsd } from "../funds/mod.ts";
import { type Bounds, type Budget, budgetPeriods, type CallLimits } from "../store/money/mod.ts";
import { type BoundsField, boundsFields, budgetFields, limitFields } from "./bound_names.ts";
import type { FormFaults } from "./fault_text.ts";

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

/** The values of the budgets and limits in a form. */
export function readBounds(form: URLSearchParams): BoundsValues {
  const values = boundsFields.map((name) => [name, (form.get(name) ?? "").trim().slice(0, 40)]);
  return Object.fromEntries(values) as BoundsValues; // one for each field
}

/** The faults of budgets and limits. */
export type BoundsFaults = FormFaults<BoundsField, "whole" | "budget">;

/** The budgets and limits in the form; absent if it has none. Budgets keep their time zones. */
export function boundsIn(values: Partial<BoundsValues>, current: Pick<Bounds, "budgets">) {
  const faults: Partial<Record<BoundsField, "whole" | "budget">> = {};
  const budgets: Budget[] = [];
  for (const period of budgetPeriods) {
    const field = budgetFields[period];
    const text = values[field]?.trim() ?? "";
    const nanoUsd = text === "" ? undefined : readUsd(text);
    const kept = current.budgets?.find((one) => one.period === period);
    if (nanoUsd !== undefined) budgets.push({ ...kept, nanoUsd, period });
    else if (text !== "") faults[field] = "budget";
  }
  const limits: { -readonly [Name in keyof CallLimits]: number } = {};
  for (const field of limitFields) {
    const text = values[field]?.trim() ?? "";
    const value = callLimit.safeParse(/^\d+$/.test(text) ? Number(text) : NaN);
    if (value.success) limits[field] = value.data;
    else if (text !== "") faults[field] = "whole";
  }
  return {
    faults,
    budgets: budgets.length > 0 ? budgets : undefined,
    limits: Object.keys(limits).length > 0 ? limits : undefined,
  };
}

/** Budgets and limits for the audit log. */
export function boundsWords(bounds: Bounds): Record<string, string | undefined> {
  const amounts: ReadonlySet<string> = new Set(Object.values(budgetFields));
  const words = Object.entries(boundsValues(bounds)).filter(([, text]) => text !== "")
    .map(([field, text]) => [field, amounts.has(field) ? `$${text}` : text]);
  const budgetZone = bounds.budgets?.find(({ timeZone }) => timeZone !== undefined)?.timeZone;
  return { budgetZone, ...Object.fromEntries(words) };
}
