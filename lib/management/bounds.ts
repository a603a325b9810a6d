import { z } from "zod";
import { limitFields, limitNames, windowFields, windowNames } from "../admin/bound_names.ts";
import { callLimit } from "../admin/bounds.ts";
import { timeZoneName } from "../admin/keys/key_rules.ts";
import { readRollingPeriod, rollingPattern } from "../canonical/mod.ts";
import {
  type Bounds,
  type Budget,
  type BudgetPeriod,
  budgetPeriodPattern,
  budgetPeriods,
  budgetsMax,
  type CalendarPeriod,
  type CallLimits,
  inOrder,
  readBudgetPeriod,
  type WindowLimits,
  windowsMax,
} from "../store/money/mod.ts";
import { invalidField } from "./http/error.ts";
import { moneyAnswer, moneyInput, moneyText } from "./http/schema.ts";

type LimitName = typeof limitNames[keyof typeof limitNames];
type WindowName = typeof windowNames[keyof typeof windowNames];

const [limitKeys, windowKeys] = [Object.values(limitNames), Object.values(windowNames)];

/** A record with the same value for each name. */
function each<Name extends string, Value>(
  names: readonly Name[],
  value: Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>; // one for each
}

const rollingLengths = new RegExp(`^(?:${rollingPattern})$`);

/** Budgets and limits of a key, a user or a group in an answer. */
export const boundsAnswer = {
  budgets: z.object(each(budgetPeriods, moneyAnswer.nullable())).catchall(moneyAnswer.nullable())
    .describe("The budget of each period, null: none; and of each rolling length, such as `5h`"),
  budget_time_zone: z.string().nullable()
    .describe("The IANA zone whose midnight resets the budgets; null: the configuration's"),
  limits: z.object(each(limitKeys, z.int().nullable())).describe("Null: unlimited"),
  ...each(windowKeys, z.record(z.string(), z.int()).describe("By length, such as `5h`")),
};

/** The same in a request: fields that are absent stay, and null removes a budget or a limit. */
export const boundsInput = {
  budgets: z.record(z.string().regex(budgetPeriodPattern), moneyInput.nullable()).optional()
    .describe(
      `By period: day, week, month, total, session, or a rolling length such as 5h or 7d; at most ${budgetsMax}`,
    ),
  budget_time_zone: timeZoneName.nullable().optional(),
  limits: z.strictObject(each(limitKeys, callLimit.nullable())).partial().optional(),
  ...each(
    windowKeys,
    z.record(z.string().regex(rollingLengths), callLimit.nullable()).optional()
      .describe(`By length, such as 5h or 7d; at most ${windowsMax}`),
  ),
};

/** Budgets and limits as an answer has them. */
export function boundsView({ budgets = [], limits = {} }: Bounds) {
  const amounts = budgets.map(({ period, nanoUsd }) => [period, moneyText(nanoUsd)]);
  const counts = limitFields.map((field) => [limitNames[field], limits[field] ?? null]);
  const windows = windowFields.map((field) => [windowNames[field], limits[field] ?? {}]);
  return {
    budgets: {
      ...each<CalendarPeriod, string | null>(budgetPeriods, null),
      ...Object.fromEntries(amounts),
    },
    budget_time_zone: budgets.find(({ timeZone }) => timeZone !== undefined)?.timeZone ?? null,
    limits: { ...each<LimitName, number | null>(limitKeys, null), ...Object.fromEntries(counts) },
    ...each<WindowName, WindowLimits>(windowKeys, {}),
    ...Object.fromEntries(windows),
  };
}

type WindowsChange = Readonly<
  Partial<Record<WindowName, Readonly<Record<string, number | null>> | undefined>>
>;

interface BoundsChange extends WindowsChange {
  readonly budgets?: Readonly<Record<string, bigint | null>>;
  readonly budget_time_zone?: string | null;
  readonly limits?: Readonly<Partial<Record<LimitName, number | null>>>;
}

/**
 * The budgets and limits after a change; absent if there are none. Throws `invalid_request` for too
 * many budgets, and for a time zone without a budget, which nothing would keep.
 */
export function changedBounds(current: Bounds, change: BoundsChange): Bounds {
  const amounts = amountsIn(change.budgets ?? {});
  const periods = new Set([...(current.budgets ?? []).map((one) => one.period), ...amounts.keys()]);
  const budgets = inOrder(
    [...periods].flatMap((period) => changedBudget(current, period, { ...change, amounts })),
  );
  if (budgets.length > budgetsMax) {
    throw invalidField(
      "budgets",
      `there are ${budgets.length}, and at most ${budgetsMax} are allowed`,
    );
  }
  if (budgets.length === 0 && typeof change.budget_time_zone === "string") {
    const fault = "there is no budget that it could reset. Set one in budgets";
    throw invalidField("budget_time_zone", fault);
  }
  const limits = changedLimits(current.limits ?? {}, change);
  return {
    budgets: budgets.length > 0 ? budgets : undefined,
    limits: Object.keys(limits).length > 0 ? limits : undefined,
  };
}

/** The changed amounts by period. Throws `invalid_request` if two name the same length. */
function amountsIn(budgets: Readonly<Record<string, bigint | null>>) {
  const amounts = new Map<BudgetPeriod, bigint | null>();
  for (const [name, amount] of Object.entries(budgets)) {
    const period = readBudgetPeriod(name);
    if (period === undefined) continue; // the schema has no other names
    if (amounts.has(period)) throw invalidField(`budgets.${name}`, `is as long as ${period}`);
    amounts.set(period, amount);
  }
  return amounts;
}

function changedBudget(
  { budgets = [] }: Bounds,
  period: BudgetPeriod,
  { amounts, budget_time_zone }: Pick<BoundsChange, "budget_time_zone"> & {
    readonly amounts: ReadonlyMap<BudgetPeriod, bigint | null>;
  },
): Budget[] {
  const current = budgets.find((one) => one.period === period);
  const nanoUsd = changedOrKept(amounts.get(period), current?.nanoUsd);
  if (nanoUsd === undefined) return [];
  const former = current?.timeZone ?? budgets.find(({ timeZone }) => timeZone)?.timeZone;
  const timeZone = budget_time_zone === undefined ? former : budget_time_zone ?? undefined;
  return [{ nanoUsd, period, ...(timeZone !== undefined && { timeZone }) }];
}

function changedLimits(
  current: CallLimits,
  { limits: changes = {}, ...windowChanges }: BoundsChange,
): CallLimits {
  const changed = limitFields.map((field) =>
    [field, changedOrKept(changes[limitNames[field]], current[field])] as const
  );
  const windows = windowFields.map((field) =>
    [
      field,
      changedWindows(current[field], windowChanges[windowNames[field]], windowNames[field]),
    ] as const
  );
  return Object.fromEntries([...changed, ...windows].filter(([, value]) => value !== undefined));
}

/** The limits of any length after a change. Throws `invalid_request` for too many. */
function changedWindows(
  current: WindowLimits = {},
  changes: Readonly<Record<string, number | null>> = {},
  name: WindowName,
): WindowLimits | undefined {
  const read = Object.entries(changes).map(([text, count]) => [readRollingPeriod(text), count]);
  const changed: Readonly<Record<string, number | null>> = Object.fromEntries(read);
  const merged: Readonly<Record<string, number | null | undefined>> = { ...current, ...changed };
  const all = Object.entries(merged)
    .flatMap(([length, count]) => count == null ? [] : [[length, count] as const]);
  if (all.length > windowsMax) {
    throw invalidField(name, `there are ${all.length}, and at most ${windowsMax} are allowed`);
  }
  return all.length > 0 ? Object.fromEntries(all) : undefined;
}

/** The value of a field after a change: absent keeps it, null removes it. */
export function changedOrKept<Value>(
  change: Value | null | undefined,
  current: Value | undefined,
): Value | undefined {
  return change === undefined ? current : change ?? undefined;
}
