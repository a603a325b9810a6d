import { readRollingPeriod, type RollingPeriod } from "../../../lib/canonical/mod.ts";
import type { Bounds, Budget, BudgetPeriod, CallLimits } from "../../../lib/store/money/mod.ts";
import type { SourceFields, SourceObject } from "../source_object.ts";

/** Limits and budgets of a row. */
interface ReadBounds extends Bounds {
  /** The field that admits no call: a budget that is used up, or a limit of zero. */
  readonly lacks?: string;
}

const limitFields = {
  requestsPerMinute: "rpm_limit",
  tokensPerMinute: "tpm_limit",
  concurrency: "max_parallel_requests",
} as const;

/** The fields that limit a row. */
export const boundsFields = [
  "max_budget",
  "budget_duration",
  "spend",
  ...Object.values(limitFields),
] as const;

/** Rows of `LiteLLM_BudgetTable` by their id. */
export type Budgets = ReadonlyMap<string, SourceFields>;

/** Reads the limits of a key, a user or a team, which may be in a budget of their own. */
export function readBounds(row: SourceObject): ReadBounds {
  const { budgets, isSpent } = budgetOf(row);
  const zero = Object.values(limitFields).find((field) => (row.number(field) ?? 1) < 1);
  const lacks = isSpent ? "max_budget" : zero;
  return {
    ...(budgets && { budgets }),
    ...limitsOf({
      requestsPerMinute: row.number(limitFields.requestsPerMinute),
      tokensPerMinute: row.number(limitFields.tokensPerMinute),
      concurrency: row.number(limitFields.concurrency),
    }),
    ...(lacks !== undefined && { lacks }),
  };
}

function budgetOf(
  row: SourceObject,
): Pick<ReadBounds, "budgets"> & { readonly isSpent: boolean } {
  const usd = row.number("max_budget");
  const duration = row.text("budget_duration");
  const spent = row.number("spend") ?? 0;
  row.changed("spend", usd === undefined ? "left behind: the log starts empty" : "see max_budget");
  if (usd === undefined) return { isSpent: false }; // also an unreadable one: see `isUnclear`
  if (duration === undefined) {
    row.changed("max_budget", "a total budget of what is left");
    const left = leftOf(usd, spent);
    return left ? { budgets: [left], isSpent: false } : { isSpent: true };
  }
  const read = usd > 0 ? budgetFor(usd, duration) : undefined;
  if (!read) {
    row.unknown("budget_duration", "it is no duration: disabled until you set a budget");
    return { isSpent: true };
  }
  row.changed("max_budget", read.how);
  row.changed("budget_duration", read.how);
  return { budgets: [read.budget], isSpent: false };
}

/** A row with the fields of the budget that it names, where it has none of its own. */
export function withBudget(row: SourceFields, budgets: Budgets): SourceFields {
  const named = budgets.get(String(row.budget_id));
  if (!named) return row;
  const fields = boundsFields.filter((field) => field !== "spend");
  const added = fields.flatMap((field) =>
    row[field] == null && named[field] != null ? [[field, named[field]]] : []
  );
  return { ...row, ...Object.fromEntries(added) };
}

/** Reasons that keys, users and teams share. */
export const boundsReasons = {
  budget_reset_at: "budgets start at zero",
  soft_budget: "alerts have percentages of a budget",
  model_max_budget: "a budget is for all models together",
  model_spend: "the log starts empty",
  budget_limits: "a budget is for all models together",
  metadata: "records have no metadata",
  updated_at: "it only says when the row changed",
  updated_by: "it only says who changed the row",
  created_by: "the audit log names who imports",
  organization_id: "there is no level above groups",
  object_permission_id: "Tessera serves no MCP servers and vector stores",
  policies: "Tessera has no policies",
  router_settings: "routing is the same for all callers",
} as const;

/** The most that a budget may be: nine million dollars, far above any real one. */
const usdMax = 9_000_000;

/** Nano-dollars of an amount that the source keeps as a floating-point number. */
function nanoOf(usd: number): bigint {
  const [whole, fraction] = Math.min(Math.max(usd, 0), usdMax).toFixed(9).split(".");
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction);
}

const unitMinutes: Readonly<Record<string, number>> = {
  s: 1 / 60,
  m: 1,
  h: 60,
  d: 1_440,
  w: 7 * 1_440,
  mo: 30 * 1_440,
};

/** A budget for one of our periods, and how it differs from the source's. */
interface ReadBudget {
  readonly budget: Budget;
  readonly how: string;
}

/**
 * Reads a budget with a duration such as `5h`, `7d` or `30d`, which becomes one in any such time;
 * `1mo` is a month of the calendar. Other durations get the nearest length at the same rate.
 */
function budgetFor(usd: number, duration: string): ReadBudget | undefined {
  const [, count, unit = ""] = /^\s*(\d*)\s*(s|m|h|d|w|mo)\s*$/.exec(duration) ?? [];
  const minutes = Number(count || "1") * (unitMinutes[unit] ?? NaN);
  if (!(minutes > 0)) return undefined;
  if (unit === "mo" && minutes === unitMinutes.mo) {
    return { budget: budgetIn(usd, "month"), how: "starts at zero, and resets with the month" };
  }
  const length = Math.min(90 * 1_440, Math.max(1, Math.round(minutes)));
  const period = lengthOf(length);
  const how = length === minutes
    ? `starts at zero, in any ${period}`
    : `the same rate in ${period}`;
  return { budget: budgetIn(usd * length / minutes, period), how };
}

/** The length of so many minutes; those that have no spelling are rounded to days. */
function lengthOf(minutes: number): RollingPeriod {
  const texts = [`${minutes}m`, `${minutes / 60}h`, `${minutes / 1_440}d`];
  return texts.map(readRollingPeriod).find((one) => one !== undefined) ??
    `${Math.ceil(minutes / 1_440)}d`;
}

/** The budget that is left of a total one; undefined if nothing is. */
function leftOf(usd: number, spent: number): Budget | undefined {
  return usd > spent ? budgetIn(usd - spent, "total") : undefined;
}

function budgetIn(usd: number, period: BudgetPeriod): Budget {
  return { nanoUsd: nanoOf(usd), period };
}

/** The limits that are set, in whole numbers; absent if there are none. Zero is no limit here. */
function limitsOf(
  limits: { readonly [Name in keyof CallLimits]: number | undefined },
): { readonly limits?: CallLimits } {
  const set = Object.entries(limits)
    .filter(([, value]) => value !== undefined && value >= 1)
    .map(([name, value]) => [name, Math.min(Math.floor(value), 1_000_000_000)]);
  return set.length > 0 ? { limits: Object.fromEntries(set) } : {};
}
