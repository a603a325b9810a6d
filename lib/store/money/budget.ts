import {
  type LimitOwner,
  readRollingPeriod,
  rollingMs,
  rollingPattern,
  type RollingPeriod,
} from "../../canonical/mod.ts";

/**
 * The periods after which a budget resets, shortest first. Weeks start on Monday; `total` never
 * resets; `session` is the budget of each session of a client.
 */
export const budgetPeriods = ["day", "week", "month", "total", "session"] as const;
export type CalendarPeriod = typeof budgetPeriods[number];
/** A calendar period, or the length of a rolling window as `readRollingPeriod` spells it. */
export type BudgetPeriod = CalendarPeriod | RollingPeriod;

/** The texts that `readBudgetPeriod` reads. */
export const budgetPeriodPattern = new RegExp(`^(?:${budgetPeriods.join("|")}|${rollingPattern})$`);

/** Reads `day`, `week`, `month`, `total` or a length such as `5h`; undefined for any other text. */
export function readBudgetPeriod(text: string): BudgetPeriod | undefined {
  return budgetPeriods.find((one) => one === text) ?? readRollingPeriod(text);
}

/** The most budgets of one owner. */
export const budgetsMax = 12;

/** The spending limit of each period. An owner has at most one budget per period. */
export interface Budget {
  readonly nanoUsd: bigint;
  readonly period: BudgetPeriod;
  /** IANA name of the zone whose midnight resets it; absent means the zone of the configuration. */
  readonly timeZone?: string;
}

/** The most requests or tokens in any time of each length. */
export type WindowLimits = Readonly<Partial<Record<RollingPeriod, number>>>;

/** Rate limits, independent of the cost. Absent means unlimited. */
export interface CallLimits {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  readonly requestsPerWindow?: WindowLimits;
  readonly tokensPerWindow?: WindowLimits;
  /** Concurrent requests. */
  readonly concurrency?: number;
}

/** The most lengths with a limit of requests, and as many with one of tokens. */
export const windowsMax = 12;

/** The limits of a key, or of all calls of a group, an account, a project, a tag or everyone. */
export interface Bounds {
  /** Absent means no budget of its own. */
  readonly budgets?: readonly Budget[];
  readonly limits?: CallLimits;
}

/** The id under which the organization has its limits: there is one for each store. */
export const organizationId = "all";

/** Budgets of calendar periods, shortest first, then those of rolling windows. */
export function inOrder(budgets: readonly Budget[]): Budget[] {
  const order = ({ period }: Budget) =>
    rollingMs(period) ?? budgetPeriods.findIndex((one) => one === period);
  return budgets.toSorted((a, b) => order(a) - order(b));
}

/** Returns the id of a budget's allowance for one period. */
export function budgetId(owner: LimitOwner, ownerId: string, periodId: string): string {
  return `budget:${owner}:${ownerId}:${periodId}`;
}

/** The beginning of the ids of all child keys' allowances. */
export const childBudgets = "budget:child:";

/** A child key with a budget. */
export interface ChildBudget {
  readonly accountId: string;
  readonly keyId: string;
  /** The end of the child key, in epoch milliseconds. */
  readonly endsAtMs: number;
  readonly name: string;
}

/** Returns the id of the allowance of a child key. The ids of a key's children sort by their ends. */
export function childBudgetId({ accountId, keyId, endsAtMs, name }: ChildBudget): string {
  const end = String(endsAtMs).padStart(16, "0");
  return `${childBudgets}${accountId}:${keyId}:${end}:${name}`;
}

/** Reads it back. */
export function childOfBudget(id: string): ChildBudget {
  const [, , accountId, keyId, end, ...name] = id.split(":");
  return { accountId, keyId, endsAtMs: Number(end), name: name.join(":") };
}

/** The beginning of the ids of all sessions' allowances. */
export const sessionBudgets = "budget:session:";

/** Returns the id of the allowance of a session, which belongs to one key of one account. */
export function sessionBudgetId(accountId: string, keyId: string, sessionId: string): string {
  return `${sessionBudgets}${accountId}:${keyId}:${sessionId}`;
}

/**
 * Returns true for the allowance of a session or a child key: whoever calls can choose its budget.
 */
export function isChosenByCaller(allowanceId: string): boolean {
  return allowanceId.startsWith(sessionBudgets) || allowanceId.startsWith(childBudgets);
}
