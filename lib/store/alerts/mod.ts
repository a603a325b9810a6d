/** Alerts: their records, their marks, and their delivery. */
export {
  type Alert,
  type AlertDelivery,
  type BalanceAlert,
  type BudgetAlert,
  getAlert,
  listAlerts,
  type UsageAlert,
} from "./alert.ts";
export { claimDueAlert, type ClaimedAlert, endClaim } from "./alert_delivery.ts";
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
