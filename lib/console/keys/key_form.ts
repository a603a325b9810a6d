import { isIP } from "node:net";
import { z } from "zod";
import type { ApiKeyDraft } from "../../accounts/mod.ts";
import { readUsd } from "../../funds/mod.ts";
import type { Budget, BudgetPeriod, CallLimits } from "../../store/money/mod.ts";
import type { Catalog } from "../i18n/mod.ts";

/**
 * Far above the number of programs of one account. Bounded, because every key takes memory and
 * appears in lists.
 */
export const keysOfAccountMax = 2_000;

type Fault = keyof Catalog["keyFault"];

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
export type KeyFormFaults = Readonly<Partial<Record<KeyField, Fault>>>;

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
const yearsAheadMs = 3_653 * dayMs;
const linesMax = 100;
const percentsMax = 10;

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
    name: z.string().default("").transform((text) => text.trim().replace(/\s+/g, " "))
      .pipe(z.string().min(1, "nameMissing").max(60, "nameLong")),
    group: z.string("group").refine((id) => groupIds.includes(id), "group"),
    expiry: z.enum(["never", "7", "30", "90", "date"], "expiry").default("never"),
    date: z.string().default(""),
    models: lines("models", (line) => line.length <= 200),
    addresses: lines("addresses", isAddressOrBlock),
    requestsPerMinute: wholeNumber(),
    tokensPerMinute: wholeNumber(),
    concurrency: wholeNumber(),
    budgetDay: amount(),
    budgetWeek: amount(),
    budgetMonth: amount(),
    budgetTotal: amount(),
    alerts: percents(),
    budgetZone: z.string().default("").transform((text, context) => {
      if (text.trim() === "") return undefined;
      return zoneNamed(text.trim()) ?? fault(context, "zone");
    }),
  }).transform(({ expiry, date, ...rest }, context) => {
    if (expiry === "never") return { ...rest, expiresAtMs: undefined };
    if (expiry !== "date") return { ...rest, expiresAtMs: nowMs + Number(expiry) * dayMs };
    const endMs = endOfDay(date);
    const possible = endMs !== undefined && endMs > nowMs && endMs - nowMs <= yearsAheadMs;
    if (possible) return { ...rest, expiresAtMs: endMs };
    context.addIssue({ code: "custom", message: "date", path: ["date"] });
    return z.NEVER;
  });
}

function lines(name: Fault, admits: (line: string) => boolean) {
  return z.string().default("").transform((text, context) => {
    const found = [...new Set(text.split(/[\s,]+/).filter((line) => line !== ""))];
    return found.length <= linesMax && found.every(admits) ? found : fault(context, name);
  });
}

function amount() {
  return z.string().default("").transform((text, context) => {
    if (text.trim() === "") return undefined;
    return readUsd(text) ?? fault(context, "budget");
  });
}

function percents() {
  return z.string().default("").transform((text, context) => {
    const found = [...new Set(text.split(/[\s,;%]+/).filter((part) => part !== ""))].map(Number);
    const fine = found.length <= percentsMax &&
      found.every((one) => Number.isInteger(one) && one >= 1 && one <= 100);
    return fine ? found.sort((a, b) => a - b) : fault(context, "percents");
  });
}

function wholeNumber() {
  return z.string().default("").transform((text, context) => {
    const digits = text.trim();
    if (digits === "") return undefined;
    return /^[1-9]\d{0,11}$/.test(digits) ? Number(digits) : fault(context, "whole");
  });
}

function fault(context: z.RefinementCtx, name: Fault): never {
  context.addIssue({ code: "custom", message: name });
  return z.NEVER;
}

/** The first error of each field. Every message of the schema is the name of an error. */
function faultsOf(error: z.ZodError): KeyFormFaults {
  const faults: Partial<Record<KeyField, Fault>> = {};
  for (const { path, message } of error.issues.toReversed()) {
    const field = keyFields.find((name) => name === path[0]);
    if (field) faults[field] = message as Fault; // sound: the schema has no other messages
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

/** The canonical spelling of a zone, given in any case; undefined for an unknown zone. */
function zoneNamed(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The last moment of a day such as `2026-11-21`, in UTC. */
function endOfDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const startMs = Date.parse(`${text}T00:00:00Z`);
  const real = !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(text);
  return real ? startMs + dayMs - 1 : undefined;
}

function isAddressOrBlock(text: string): boolean {
  const [address, bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0 || address.includes("%")) return false;
  return bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
