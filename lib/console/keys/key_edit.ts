import type { ApiKeyDraft } from "../../accounts/mod.ts";
import { boundsValues } from "../../admin/bounds.ts";
import type { ApiKey } from "../../store/api_keys/mod.ts";
import { draftOf, type KeyFormResult, type KeyFormValues } from "./key_form.ts";

/** The form's values for an existing key. */
export function valuesOf(apiKey: ApiKey): KeyFormValues {
  const { name, groupId, expiresAtMs, models, ipAllowList, budgets = [] } = apiKey;
  const { alertPercents = [] } = apiKey;
  const date = dateOf(expiresAtMs);
  return {
    name,
    group: groupId,
    ...(date ? { expiry: "date", date } : { expiry: "never" }),
    models: (models ?? []).join("\n"),
    addresses: (ipAllowList ?? []).join("\n"),
    ...boundsValues(apiKey),
    budgetZone: budgets.find(({ timeZone }) => timeZone !== undefined)?.timeZone ?? "",
    alerts: alertPercents.join(", "),
  };
}

/** The key that the form describes. An unchanged day of expiry keeps its exact time. */
export function editOf(
  values: KeyFormValues,
  apiKey: ApiKey,
  options: { readonly groupIds: readonly string[]; readonly nowMs: number },
): KeyFormResult {
  const { accountId, expiresAtMs } = apiKey;
  const same = values.expiry === "date" && values.date === dateOf(expiresAtMs);
  const read = same ? { ...values, expiry: "never" } : values;
  const result = draftOf(read, { accountId, ...options });
  if (result.type === "invalid" || !same || expiresAtMs === undefined) return result;
  return { type: "valid", draft: { ...result.draft, expiresAtMs } };
}

/** Returns the key with the values of the form; other fields stay. */
export function edited(current: ApiKey, draft: ApiKeyDraft): ApiKey {
  const {
    expiresAtMs: _expiry,
    models: _models,
    ipAllowList: _addresses,
    limits: _limits,
    budgets: _budgets,
    alertPercents: _percents,
    ...kept
  } = current;
  return { ...kept, ...draft, enabled: current.enabled };
}

function dateOf(expiresAtMs: number | undefined): string | undefined {
  return expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString().slice(0, 10);
}
