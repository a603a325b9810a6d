import { z } from "zod";
import { timeZoneName } from "../admin/keys/key_rules.ts";
import type { Bounds, Budget, BudgetPeriod, CallLimits } from "../store/money/mod.ts";
import { ManagementError } from "./http/error.ts";
import { moneyAnswer, moneyInput, moneyText } from "./http/fields.ts";

const periods = ["day", "week", "month", "total"] as const satisfies BudgetPeriod[];

/** Budgets and limits of a key, a user or a group in an answer. */
export const boundsAnswer = {
  budgets: z.object({
    day: moneyAnswer.nullable(),
    week: moneyAnswer.nullable(),
    month: moneyAnswer.nullable(),
    total: moneyAnswer.nullable(),
  }).describe("The budget of each period; null: none"),
  budget_time_zone: z.string().nullable()
    .describe("The IANA zone whose midnight resets the budgets; null: the configuration's"),
  limits: z.object({
    requests_per_minute: z.int().nullable(),
    tokens_per_minute: z.int().nullable(),
    concurrency: z.int().nullable(),
  }).describe("Null: unlimited"),
};

/**
 * The same in a request, with the rule for limits: fields that are absent stay, and null removes a
 * budget or a limit.
 */
export function boundsInput(limit: z.ZodType<number, number>) {
  return {
    budgets: z.strictObject({
      day: moneyInput.nullable(),
      week: moneyInput.nullable(),
      month: moneyInput.nullable(),
      total: moneyInput.nullable(),
    }).partial().optional(),
    budget_time_zone: timeZoneName.nullable().optional(),
    limits: z.strictObject({
      requests_per_minute: limit.nullable(),
      tokens_per_minute: limit.nullable(),
      concurrency: limit.nullable(),
    }).partial().optional(),
  };
}

/** Budgets and limits as an answer has them. */
export function boundsView({ budgets = [], limits = {} }: Bounds) {
  const amountOf = (period: BudgetPeriod) => {
    const found = budgets.find((one) => one.period === period);
    return found === undefined ? null : moneyText(found.nanoUsd);
  };
  return {
    budgets: {
      day: amountOf("day"),
      week: amountOf("week"),
      month: amountOf("month"),
      total: amountOf("total"),
    },
    budget_time_zone: budgets.find(({ timeZone }) => timeZone !== undefined)?.timeZone ?? null,
    limits: {
      requests_per_minute: limits.requestsPerMinute ?? null,
      tokens_per_minute: limits.tokensPerMinute ?? null,
      concurrency: limits.concurrency ?? null,
    },
  };
}

interface BoundsChange {
  readonly budgets?: Readonly<Partial<Record<BudgetPeriod, bigint | null>>>;
  readonly budget_time_zone?: string | null;
  readonly limits?: {
    readonly requests_per_minute?: number | null;
    readonly tokens_per_minute?: number | null;
    readonly concurrency?: number | null;
  };
}

/**
 * The budgets and limits after a change; absent if there are none. Throws `invalid_request` for a
 * time zone without a budget, which nothing would keep.
 */
export function changedBounds(current: Bounds, change: BoundsChange): Bounds {
  const budgets = periods.flatMap((period) => changedBudget(current, period, change));
  if (budgets.length === 0 && typeof change.budget_time_zone === "string") throw zoneAlone();
  const limits = changedLimits(current.limits ?? {}, change.limits ?? {});
  return {
    budgets: budgets.length > 0 ? budgets : undefined,
    limits: Object.keys(limits).length > 0 ? limits : undefined,
  };
}

function zoneAlone(): ManagementError {
  const param = "budget_time_zone";
  const message = `${param}: there is no budget that it could reset. Set one in budgets`;
  return new ManagementError("invalid_request", message, { param });
}

function changedBudget(
  { budgets = [] }: Bounds,
  period: BudgetPeriod,
  { budgets: changes = {}, budget_time_zone }: BoundsChange,
): Budget[] {
  const current = budgets.find((one) => one.period === period);
  const { [period]: nanoUsd = current?.nanoUsd } = changes;
  if (nanoUsd === undefined || nanoUsd === null) return [];
  const former = current?.timeZone ?? budgets.find(({ timeZone }) => timeZone)?.timeZone;
  const timeZone = budget_time_zone === undefined ? former : budget_time_zone ?? undefined;
  return [{ nanoUsd, period, ...(timeZone !== undefined && { timeZone }) }];
}

function changedLimits(
  current: CallLimits,
  { requests_per_minute, tokens_per_minute, concurrency }: NonNullable<BoundsChange["limits"]>,
): CallLimits {
  const changed = {
    requestsPerMinute: changedOrKept(requests_per_minute, current.requestsPerMinute),
    tokensPerMinute: changedOrKept(tokens_per_minute, current.tokensPerMinute),
    concurrency: changedOrKept(concurrency, current.concurrency),
  };
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
}

/** The value of a field after a change: absent keeps it, null removes it. */
export function changedOrKept<Value>(
  change: Value | null | undefined,
  current: Value | undefined,
): Value | undefined {
  return change === undefined ? current : change ?? undefined;
}
