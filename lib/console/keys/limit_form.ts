import { readUsd } from "../../funds/mod.ts";
import type { BudgetPeriod } from "../../store/money/mod.ts";
import type { BulkLimit } from "./key_bulk.ts";
import { budgetFields } from "./key_form.ts";

/** The periods of a budget, shortest first. */
export const limitPeriods = Object.keys(budgetFields) as BudgetPeriod[]; // the table's own

/** The limit in a form, which without an amount removes one; undefined for an invalid amount. */
export function readLimit(form: URLSearchParams): BulkLimit | undefined {
  const period = limitPeriods.find((one) => one === form.get("period")) ?? "month";
  const text = (form.get("amount") ?? "").trim();
  if (text === "") return { period };
  const nanoUsd = readUsd(text);
  return nanoUsd === undefined ? undefined : { period, nanoUsd };
}
