/** Alerts when budgets and balances run low, kept in the store, shown in the console and sent by signed webhook. */
export { Alerts, type AlertsOptions } from "./alerts.ts";
export type { DeliveryOutcome, DeliveryTest, Report } from "./deliveries.ts";
export type { AlertEventType } from "./event.ts";
export type { Spender } from "./noted_owners.ts";
export { type ActiveAlertQuery, activeAlerts } from "./active_alerts.ts";
export { percentUsed } from "./threshold.ts";
