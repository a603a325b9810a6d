import type { Activity } from "./activity.ts";
import { Alerts } from "./alerts/mod.ts";
import type { Config } from "./config.ts";
import type { ComposeMail } from "./mail/mod.ts";
import { createPayments, type Payments } from "./funds/mod.ts";
import { Ledger } from "./ledger/mod.ts";
import type { Store } from "./store/mod.ts";
import { logLine, type Metrics, reportBackgroundFailure } from "./telemetry/mod.ts";
import { addressRule, type Send } from "./upstreams/mod.ts";
import { alertEventTypes, deliveryOutcomes } from "./webhooks/mod.ts";

/** Everything that moves money, watches it or brings it in, with one end. */
export interface Money {
  readonly ledger: Ledger;
  readonly alerts: Alerts;
  /** Undefined if payments are not set up. */
  readonly payments: Payments | undefined;
  close(): Promise<void>;
}

const dayMs = 86_400_000;

/** Opens ledger, funds and alerts. The ledger first settles the calls that dead isolates left. */
export async function openMoney(
  store: Store,
  config: Config,
  { send, composeMail, metrics, activity }: {
    readonly send: Send;
    readonly composeMail: ComposeMail;
    readonly metrics: Metrics;
    readonly activity: Activity;
  },
): Promise<Money> {
  const { timeZone, limits } = config;
  const ledger = await Ledger.open(store, {
    timeZone,
    moneyWaitMs: limits.moneyWaitMs,
    now: Date.now,
    onError: reportBackgroundFailure,
  });
  metrics.watchAlerts(alertEventTypes, deliveryOutcomes);
  const alerts = Alerts.open(store, {
    settings: config.alerts,
    ...(config.email && { email: config.email }),
    ...(config.publicUrl !== undefined && { publicUrl: config.publicUrl }),
    addresses: addressRule(config),
    composeMail,
    timeZone,
    now: Date.now,
    random: Math.random,
    send,
    activity,
    retentionMs: limits.alertRetentionDays * dayMs,
    report: logLine,
    onRaised: (type) => metrics.observeAlert(type),
    onDelivery: (outcome) => metrics.observeAlertDelivery(outcome),
  });
  const payments = await createPayments(store, config, logLine);
  payments?.start();
  return {
    ledger,
    alerts,
    payments,
    close: async () => {
      await Promise.all([payments?.close(), ledger.close()]);
      await alerts.close();
    },
  };
}
