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
} as const satisfies Record<keyof CallLimits, string>;
type LimitField = keyof typeof limitNames;

export const limitFields = Object.keys(limitNames) as LimitField[]; // the table's own

/** The form fields of budgets and limits. */
export type BoundsField = BudgetField | LimitField;
export const boundsFields: readonly BoundsField[] = [
  ...Object.values(budgetFields),
  rollingField,
  ...limitFields,
];
