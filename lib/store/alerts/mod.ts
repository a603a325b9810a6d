/** Alerts: their records and their marks. */
export {
  type Alert,
  type BalanceAlert,
  type BalanceMark,
  type BudgetAlert,
  type BudgetMark,
  type CacheAlert,
  changeMark,
  getAlert,
  listAlerts,
  percentUsed,
  raiseAlertOnce,
  readBalanceMark,
  readBudgetMark,
  type RetirementAlert,
  type UsageAlert,
} from "./alert.ts";
