import { Webhook } from "standardwebhooks";
import { Activity } from "../../lib/activity.ts";
import { Alerts, type AlertsOptions } from "../../lib/alerts/mod.ts";
import type { AlertSettings } from "../../lib/config.ts";
import { periodOf } from "../../lib/ledger/period.ts";
import { type Alert, listAlerts } from "../../lib/store/alerts/mod.ts";
import { createApiKey } from "../../lib/store/api_keys/mod.ts";
import type { Spender } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { addSpent } from "../../lib/store/money/allowance.ts";
import { budgetId } from "../../lib/store/money/budget.ts";
import { postEntry, walletId } from "../../lib/store/money/mod.ts";
import { createUser } from "../../lib/store/users/mod.ts";
import { createSend, type Send } from "../../lib/upstreams/mod.ts";
import { nowMs } from "../funds/accounts.ts";
import { sampleKey, sampleUser } from "../store/samples.ts";

export { nowMs } from "../funds/accounts.ts";

export const usd = 1_000_000_000n;
export const secret = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;
export const spender: Spender = { keyId: "key_1", groupId: "team", accountId: "usr_1" };

const standardWebhook = new Webhook(secret);

export const settings: AlertSettings = {
  thresholds: [50, 80, 100],
  lowBalanceNanoUsd: 5n * usd,
};

/** Alerts over a store, with every message that they sent. */
export interface TestAlerts extends AsyncDisposable {
  readonly alerts: Alerts;
  readonly clock: Clock;
  readonly send: Send;
  readonly told: string[];
}

const hourMs = 3_600_000;
/** No timer: tests trigger each check. */
const neverMs = 2_147_483_647;

/** A clock that tests move, and that advances by itself whenever it is read. */
export interface Clock {
  nowMs: number;
}

export function openAlerts(
  store: Store,
  options: Partial<AlertsOptions> = {},
  clock: Clock = { nowMs },
): TestAlerts {
  const told: string[] = [];
  const send = createSend({ dialFirst: true });
  const alerts = Alerts.open(store, {
    settings,
    timeZone: "UTC",
    retentionMs: 90 * 24 * hourMs,
    now: () => clock.nowMs++,
    random: () => 0,
    send,
    activity: new Activity(),
    report: (level, message, fields) => told.push(`${level}: ${message} ${JSON.stringify(fields)}`),
    intervalMs: neverMs,
    ...options,
  });
  return { alerts, clock, send, told, [Symbol.asyncDispose]: () => alerts.close() };
}

/** Settings with a webhook at an address. */
export function webhookAt(url: string): Partial<AlertsOptions> {
  return { settings: { ...settings, webhook: { url, secret } } };
}

/** A key of a prepaid account with a monthly budget of $10. */
export async function addSpender(store: Store, budgetUsd = 10n): Promise<void> {
  await createUser(store, sampleUser());
  await createApiKey(
    store,
    sampleKey({
      accountId: spender.accountId,
      name: "ci-nightly",
      budgets: [{ period: "month", nanoUsd: budgetUsd * usd }],
    }),
  );
}

/** Spends from the key's monthly budget as a settled call does, in cents. */
export async function spendBudget(store: Store, cents: number, atMs = nowMs): Promise<void> {
  const { id } = periodOf("month", "UTC", atMs);
  await spend(store, budgetId("key", spender.keyId, id), cents);
}

/** Spends from the account's wallet as a settled call does, in cents. */
export async function spendBalance(store: Store, cents: number): Promise<void> {
  await spend(store, walletId(spender.accountId), cents);
}

/** Spends from any allowance, in cents. */
export async function spend(store: Store, allowanceId: string, cents: number): Promise<void> {
  const operation = store.kv.atomic();
  addSpent(operation, allowanceId, BigInt(cents) * usd / 100n);
  await operation.commit();
}

/** Funds the spender's account with dollars. */
export async function fund(store: Store, dollars: bigint): Promise<void> {
  await fundAccount(store, spender.accountId, dollars);
}

/** Funds an account with dollars. */
export async function fundAccount(store: Store, accountId: string, dollars: bigint): Promise<void> {
  await postEntry(store, {
    atMs: nowMs,
    accountId,
    type: "grant",
    changeNanoUsd: dollars * usd,
    reason: "test",
    actor: "owner",
    idempotencyKey: crypto.randomUUID(),
  });
}

/** The alerts of a store, oldest first, as `budget 80` or `balance low`; with `!` calls were refused. */
export async function raised(store: Store): Promise<string[]> {
  const { alerts } = await listAlerts(store, { limit: 1_000 });
  return alerts.toReversed().map(wordOf);
}

function wordOf(alert: Alert): string {
  const refused = alert.refused ? "!" : "";
  return alert.type === "budget"
    ? `${alert.owner} ${alert.threshold}${refused}`
    : `balance${refused}`;
}

/** Returns true if the signature equals that of the standard's own library, at any time. */
export function isSigned({ headers, body }: { readonly headers: Headers; readonly body: string }) {
  const [id, seconds, signature] = ["id", "timestamp", "signature"]
    .map((name) => headers.get(`webhook-${name}`) ?? "");
  return signature === standardWebhook.sign(id, new Date(Number(seconds) * 1_000), body);
}
