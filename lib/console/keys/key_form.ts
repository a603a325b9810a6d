import { z } from "zod";
import type { ApiKeyDraft } from "../../accounts/mod.ts";
import type { FormFaults } from "../../admin/fault_text.ts";
import {
  addressList,
  alertPercents,
  endOfDay,
  expiryFrom,
  groupAmong,
  type KeyFault,
  keyName,
  modelPatterns,
  timeZoneName,
  wholeLimit,
  words,
} from "../../admin/keys/key_rules.ts";
import { readUsd } from "../../funds/mod.ts";
import type { Budget, BudgetPeriod, CallLimits } from "../../store/money/mod.ts";

/** The names of the form's fields, as the page and the posted form name them. */
const keyFields = [
  "name",
  "group",
  "expiry",
  "date",
  "models",
  "addresses",
  "requestsPerMinute",
  "tokensPerMinute",
  "concurrency",
  "budgetDay",
  "budgetWeek",
  "budgetMonth",
  "budgetTotal",
  "budgetZone",
  "alerts",
] as const;
type KeyField = typeof keyFields[number];
export type KeyFormValues = Readonly<Partial<Record<KeyField, string>>>;
export type KeyFormFaults = FormFaults<KeyField, KeyFault>;

export type KeyFormResult =
  | { readonly type: "valid"; readonly draft: ApiKeyDraft }
  | { readonly type: "invalid"; readonly faults: KeyFormFaults };

/** The field of each budget; a key has at most one per period. */
export const budgetFields = {
  day: "budgetDay",
  week: "budgetWeek",
  month: "budgetMonth",
  total: "budgetTotal",
} as const satisfies Record<BudgetPeriod, KeyField>;
const budgetPeriods = Object.keys(budgetFields) as BudgetPeriod[]; // the table's own

const dayMs = 86_400_000;

export function readKeyForm(form: URLSearchParams): KeyFormValues {
  return Object.fromEntries(
    keyFields.flatMap((field) => form.has(field) ? [[field, form.get(field) ?? ""]] : []),
  );
}

/** The key that the form describes, or the faults of its fields. */
export function draftOf(
  values: KeyFormValues,
  { accountId, groupIds, nowMs }: {
    readonly accountId: string;
    readonly groupIds: readonly string[];
    readonly nowMs: number;
  },
): KeyFormResult {
  const parsed = schemaFor(groupIds, nowMs).safeParse(values);
  if (!parsed.success) return { type: "invalid", faults: faultsOf(parsed.error) };
  const { name, group, expiresAtMs, models, addresses, ...bounds } = parsed.data;
  const { budgetDay, budgetWeek, budgetMonth, budgetTotal, budgetZone, alerts, ...limits } = bounds;
  const amounts = { day: budgetDay, week: budgetWeek, month: budgetMonth, total: budgetTotal };
  const budgets = budgetsOf(amounts, budgetZone);
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
      ...(budgets.length > 0 && { budgets }),
      ...(alerts.length > 0 && { alertPercents: alerts }),
      ...limitsOf(limits),
    },
  };
}

function schemaFor(groupIds: readonly string[], nowMs: number) {
  return z.strictObject({
    name: z.string().default("").pipe(keyName),
    group: groupAmong(groupIds),
    expiry: z.enum(["never", "7", "30", "90", "date"], "expiry").default("never"),
    date: z.string().default(""),
    models: words(/[\s,]+/).pipe(modelPatterns),
    addresses: words(/[\s,]+/).pipe(addressList),
    requestsPerMinute: limit(),
    tokensPerMinute: limit(),
    concurrency: limit(),
    budgetDay: amount(),
    budgetWeek: amount(),
    budgetMonth: amount(),
    budgetTotal: amount(),
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

/** A whole number, or nothing. */
function limit() {
  return z.string().default("").transform((text, context) => {
    const digits = text.trim();
    if (digits === "") return undefined;
    const read = wholeLimit.safeParse(/^[1-9]\d*$/.test(digits) ? Number(digits) : NaN);
    return read.success ? read.data : fault(context, "whole");
  });
}

function amount() {
  return z.string().default("").transform((text, context) => {
    if (text.trim() === "") return undefined;
    return readUsd(text) ?? fault(context, "budget");
  });
}

function fault(context: z.RefinementCtx, name: KeyFault): never {
  context.addIssue({ code: "custom", message: name });
  return z.NEVER;
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

function limitsOf(limits: CallLimits): { limits?: CallLimits } {
  const set = Object.entries(limits).filter(([, value]) => value !== undefined);
  return set.length > 0 ? { limits: Object.fromEntries(set) } : {};
}

/** The budgets, shortest period first; the zone determines when they reset. */
function budgetsOf(
  amounts: Readonly<Record<BudgetPeriod, bigint | undefined>>,
  timeZone: string | undefined,
): Budget[] {
  return budgetPeriods.flatMap((period) => {
    const nanoUsd = amounts[period];
    return nanoUsd === undefined
      ? []
      : [{ nanoUsd, period, ...(timeZone !== undefined && { timeZone }) }];
  });
}
