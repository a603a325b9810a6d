import {
  type BoundsField,
  boundsFields,
  budgetFields,
  limitFields,
} from "../../admin/bound_names.ts";
import { type BoundsValues, callLimit } from "../../admin/bounds.ts";
import type { FormFaults } from "../../admin/fault_text.ts";
import type { FaultCode } from "../../admin/faults.ts";
import {
  type AccountField,
  type AccountSettings,
  type AccountValues,
  roles,
  spendings,
} from "../../admin/users.ts";
import { readUsd } from "../../funds/mod.ts";
import { type Budget, budgetPeriods, type CallLimits } from "../../store/money/mod.ts";
import type { User } from "../../store/users/mod.ts";

export type AccountFaults = FormFaults<AccountField, FaultCode<"user">>;

export function readAccountForm(form: URLSearchParams): AccountValues {
  const text = (name: string) => (form.get(name) ?? "").slice(0, 40);
  return { role: text("role"), spending: text("spending"), ...readBounds(form) };
}

type AccountFormResult =
  | { readonly type: "valid"; readonly settings: AccountSettings }
  | { readonly type: "invalid"; readonly faults: AccountFaults };

/** The settings in the form; budgets keep their time zones. */
export function settingsOf(
  values: AccountValues,
  current: Pick<User, "budgets">,
): AccountFormResult {
  const role = roles.find((one) => one === values.role);
  const spending = spendings.find((one) => one === values.spending);
  const bounds = accountBounds(values, current);
  const faults = {
    ...(!role && { role: "choice" as const }),
    ...(!spending && { spending: "choice" as const }),
    ...bounds.faults,
  };
  if (!role || !spending || Object.keys(faults).length > 0) return { type: "invalid", faults };
  const { budgets, limits } = bounds;
  return { type: "valid", settings: { role, spending, budgets, limits } };
}

/** The values of the budgets and limits in a form. */
export function readBounds(form: URLSearchParams): BoundsValues {
  const values = boundsFields.map((name) => [name, (form.get(name) ?? "").trim().slice(0, 40)]);
  return Object.fromEntries(values) as BoundsValues; // one for each field
}

/** The faults of budgets and limits. */
export type BoundsFaults = FormFaults<BoundsField, "whole" | "budget">;

/** The budgets and limits in the form; absent if it has none. Budgets keep their time zones. */
export function accountBounds(values: Partial<BoundsValues>, current: Pick<User, "budgets">) {
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
