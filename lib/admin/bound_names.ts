import type { CalendarPeriod, CallLimits } from "../store/money/mod.ts";

/** The form field of each calendar period's budget. The API names a budget as the store does. */
export const budgetFields = {
  day: "budgetDay",
  week: "budgetWeek",
  month: "budgetMonth",
  total: "budgetTotal",
  session: "budgetSession",
} as const satisfies Record<CalendarPeriod, string>;
type BudgetField = typeof budgetFields[CalendarPeriod] | typeof rollingField;

/** The form field of all rolling budgets, such as `5/5h, 20/7d`. */
export const rollingField = "budgetRolling";

/** The API's name of each limit. A form names a limit as the store does. */
export const limitNames = {
  requestsPerMinute: "requests_per_minute",
  tokensPerMinute: "tokens_per_minute",
  concurrency: "concurrency",
} as const satisfies Partial<Record<keyof CallLimits, string>>;
type LimitField = keyof typeof limitNames;

/** The API's name of each limit in any time of a length. A form has `1000/5h, 5000/7d`. */
export const windowNames = {
  requestsPerWindow: "requests_per_window",
  tokensPerWindow: "tokens_per_window",
} as const satisfies Record<Exclude<keyof CallLimits, LimitField>, string>;
type WindowField = keyof typeof windowNames;

export const windowFields = Object.keys(windowNames) as WindowField[]; // the table's own

export const limitFields = Object.keys(limitNames) as LimitField[]; // the table's own

/** The form fields of budgets and limits. */
export type BoundsField = BudgetField | LimitField | WindowField;
export const boundsFields: readonly BoundsField[] = [
  ...Object.values(budgetFields),
  rollingField,
  ...limitFields,
  ...windowFields,
];
