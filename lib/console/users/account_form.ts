import { accountLimit, boundsValues, limitFields, periodOfField } from "../../admin/bounds.ts";
import type { FormFaults } from "../../admin/fault_text.ts";
import type { FaultCode } from "../../admin/faults.ts";
import {
  type AccountField,
  accountFields,
  type AccountSettings,
  type AccountValues,
  roles,
  spendings,
} from "../../admin/users.ts";
import { readUsd } from "../../funds/mod.ts";
import type { Budget, CallLimits } from "../../store/money/mod.ts";
import type { User } from "../../store/users/mod.ts";

export type AccountFaults = FormFaults<AccountField, FaultCode<"user">>;

export function readAccountForm(form: URLSearchParams): AccountValues {
  const values = accountFields.map((field) => [field, (form.get(field) ?? "").slice(0, 40)]);
  return Object.fromEntries(values) as AccountValues; // one for each field
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

type BoundsValues = ReturnType<typeof boundsValues>;

const boundsFields = Object.keys(boundsValues({})) as (keyof BoundsValues)[]; // its own keys

/** The values of the budgets and limits in a form. */
export function readBounds(form: URLSearchParams): BoundsValues {
  const values = boundsFields.map((name) => [name, (form.get(name) ?? "").trim().slice(0, 40)]);
  return Object.fromEntries(values) as BoundsValues; // one for each field
}

/** The faults of budgets and limits. */
export type BoundsFaults = FormFaults<keyof BoundsValues, "whole" | "budget">;

/** The budgets and limits in the form; absent if it has none. */
export function accountBounds(values: BoundsValues, current: Pick<User, "budgets">) {
  const faults: Partial<Record<keyof BoundsValues, "whole" | "budget">> = {};
  const budgets: Budget[] = [];
  for (const field of Object.keys(periodOfField) as (keyof typeof periodOfField)[]) { // its own keys
    const text = values[field].trim();
    const nanoUsd = text === "" ? undefined : readUsd(text);
    const period = periodOfField[field];
    const kept = current.budgets?.find((one) => one.period === period);
    if (nanoUsd !== undefined) budgets.push({ ...kept, nanoUsd, period });
    else if (text !== "") faults[field] = "budget";
  }
  const limits: { -readonly [Name in keyof CallLimits]: number } = {};
  for (const field of limitFields) {
    const text = values[field].trim();
    const value = accountLimit.safeParse(/^\d{1,10}$/.test(text) ? Number(text) : NaN);
    if (value.success) limits[field] = value.data;
    else if (text !== "") faults[field] = "whole";
  }
  return {
    faults,
    budgets: budgets.length > 0 ? budgets : undefined,
    limits: Object.keys(limits).length > 0 ? limits : undefined,
  };
}
