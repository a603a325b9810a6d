import { roles } from "../../accounts/mod.ts";
import { boundsIn, readBounds } from "../../admin/bounds.ts";
import type { FormFaults } from "../../admin/fault_text.ts";
import type { FaultCode } from "../../admin/faults.ts";
import {
  type AccountField,
  type AccountSettings,
  type AccountValues,
  spendings,
} from "../../admin/users.ts";
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
  const bounds = boundsIn(values, current);
  const faults = {
    ...(!role && { role: "choice" as const }),
    ...(!spending && { spending: "choice" as const }),
    ...bounds.faults,
  };
  if (!role || !spending || Object.keys(faults).length > 0) return { type: "invalid", faults };
  const { budgets, limits } = bounds;
  return { type: "valid", settings: { role, spending, budgets, limits } };
}
