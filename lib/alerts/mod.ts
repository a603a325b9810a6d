/**
 * Alerts when budgets and balances run low, kept in the store, shown in the console and sent by
 * webhook.
 */
export { Alerts, type AlertsOptions } from "./alerts.ts";
export { activeAlerts } from "./active_alerts.ts";
