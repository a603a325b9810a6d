/** Alerts: their records and their marks. */
export {
  type Alert,
  type BalanceAlert,
  type BudgetAlert,
  getAlert,
  listAlerts,
  percentUsed,
  type UsageAlert,
} from "./alert.ts";
export {
  type BalanceMark,
  type BudgetMark,
  changeBalanceMark,
  changeBudgetMark,
  raiseAlertOnce,
  readBalanceMark,
  readBudgetMark,
} from "./alert_mark.ts";
export { takeAlertPass } from "./alert_pass.ts";
