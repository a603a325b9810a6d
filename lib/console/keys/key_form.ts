import { z } from "zod";
import type { ApiKeyDraft } from "../../accounts/mod.ts";
import { boundsFields } from "../../admin/bound_names.ts";
import { boundsIn, boundsValues } from "../../admin/bounds.ts";
import type { FormFaults } from "../../admin/fault_text.ts";
import {
  addressList,
  alertPercents,
  endOfDay,
  expiryFrom,
  groupAmong,
  type KeyFault,
  keyModels,
  keyName,
  timeZoneName,
  words,
} from "../../admin/keys/key_rules.ts";
import type { ApiKey } from "../../store/api_keys/mod.ts";

/** The names of the form's fields, as the page and the posted form name them. */
const keyFields = [
  "name",
  "group",
  "expiry",
  "date",
  "models",
  "addresses",
  ...boundsFields,
  "budgetZone",
  "alerts",
] as const;
type KeyField = typeof keyFields[number];
export type KeyFormValues = Readonly<Partial<Record<KeyField, string>>>;

export type KeyFormFaults = FormFaults<KeyField, KeyFault>;

type KeyFormResult =
  | { readonly type: "valid"; readonly draft: ApiKeyDraft }
  | { readonly type: "invalid"; readonly faults: KeyFormFaults };

const dayMs = 86_400_000;

export function readKeyForm(form: URLSearchParams): KeyFormValues {
  return Object.fromEntries(
    keyFields.flatMap((field) => form.has(field) ? [[field, form.get(field) ?? ""]] : []),
  );
}

/** The key that the form describes, or the faults of its fields. */
export function newKeyDraft(
  values: KeyFormValues,
  { accountId, groupIds, nowMs }: {
    readonly accountId: string;
    readonly groupIds: readonly string[];
    readonly nowMs: number;
  },
): KeyFormResult {
  const parsed = schemaFor(groupIds, nowMs).safeParse(values);
  const bounds = boundsIn(values, {});
  const faults = { ...(parsed.error && faultsOf(parsed.error)), ...bounds.faults };
  if (!parsed.success || Object.keys(faults).length > 0) return { type: "invalid", faults };
  const { name, group, expiresAtMs, models, addresses, budgetZone, alerts } = parsed.data;
  const zone = budgetZone === undefined ? {} : { timeZone: budgetZone };
  return {
    type: "valid",
    draft: {
      accountId,
      name,
      groupId: group,
      enabled: true,
      ...(expiresAtMs !== undefined && { expiresAtMs }),
      ...(models.length > 0 && { models }),
      ...(addresses.length > 0 && { ipAllowList: addresses }),
      ...(bounds.budgets && { budgets: bounds.budgets.map((one) => ({ ...one, ...zone })) }),
      ...(alerts.length > 0 && { alertPercents: alerts }),
      ...(bounds.limits && { limits: bounds.limits }),
    },
  };
}

function schemaFor(groupIds: readonly string[], nowMs: number) {
  return z.object({
    name: z.string().default("").pipe(keyName),
    group: groupAmong(groupIds),
    expiry: z.enum(["never", "7", "30", "90", "date"], "expiry").default("never"),
    date: z.string().default(""),
    models: words(/[\s,]+/).pipe(keyModels),
    addresses: words(/[\s,]+/).pipe(addressList),
    alerts: words(/[\s,;%]+/).transform((texts) => texts.map(Number)).pipe(alertPercents),
    budgetZone: z.string().default("").transform((text) => text.trim() || undefined)
      .pipe(timeZoneName.optional()),
  }).transform(({ expiry, date, ...rest }, context) => {
    if (expiry === "never") return { ...rest, expiresAtMs: undefined };
    if (expiry !== "date") return { ...rest, expiresAtMs: nowMs + Number(expiry) * dayMs };
    const expires = expiryFrom(nowMs).safeParse(endOfDay(date));
    if (expires.success) return { ...rest, expiresAtMs: expires.data };
    context.addIssue({ code: "custom", message: "date", path: ["date"] });
    return z.NEVER;
  });
}

/** The first error of each field. Every message of the schema is the name of an error. */
function faultsOf(error: z.ZodError): KeyFormFaults {
  const faults: Partial<Record<KeyField, KeyFault>> = {};
  for (const { path, message } of error.issues.toReversed()) {
    const field = keyFields.find((name) => name === path[0]);
    if (field) faults[field] = message as KeyFault; // sound: the schema has no other messages
  }
  return faults;
}

/** The form's values for an existing key. */
export function keyFormValues(apiKey: ApiKey): KeyFormValues {
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
export function changedKeyDraft(
  values: KeyFormValues,
  apiKey: ApiKey,
  options: { readonly groupIds: readonly string[]; readonly nowMs: number },
): KeyFormResult {
  const { accountId, expiresAtMs } = apiKey;
  const same = values.expiry === "date" && values.date === dateOf(expiresAtMs);
  const read = same ? { ...values, expiry: "never" } : values;
  const result = newKeyDraft(read, { accountId, ...options });
  if (result.type === "invalid" || !same || expiresAtMs === undefined) return result;
  return { type: "valid", draft: { ...result.draft, expiresAtMs } };
}

/** Returns the key with the values of the form; other fields stay. */
export function withDraft(current: ApiKey, draft: ApiKeyDraft): ApiKey {
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
