import type { LimitOwner } from "../../canonical/mod.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { encodeRecord, getRecord, getRecords, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import type { BudgetPeriod } from "../money/budget.ts";

interface AlertBase {
  /** Sorts by time. Receivers of the webhook use it to detect repeated deliveries. */
  readonly id: string;
  readonly atMs: number;
  /** The owner whose money runs low. */
  readonly owner: LimitOwner;
  readonly ownerId: string;
  /** The owner's name at that time: the account's e-mail address, the tag's text, else its name. */
  readonly name: string;
  /** The account that may see it in addition to administrators; absent for groups. */
  readonly accountId?: string;
  readonly allowanceId: string;
  /** True if calls were refused because of it. */
  readonly refused: boolean;
  readonly expiresAtMs: number;
}

/** A budget was used up to a threshold. Amounts are nano-dollars. */
export interface BudgetAlert extends AlertBase {
  readonly type: "budget";
  /** In percent; 100 if calls were refused. */
  readonly threshold: number;
  readonly period: BudgetPeriod;
  readonly periodId: string;
  readonly timeZone: string;
  /** Absent for a budget that never resets. */
  readonly endsAtMs?: number;
  readonly limitNanoUsd: bigint;
  readonly spentNanoUsd: bigint;
}

/** A prepaid balance fell below the configured minimum. Amounts are nano-dollars. */
export interface BalanceAlert extends AlertBase {
  readonly type: "balance";
  readonly lowNanoUsd: bigint;
  readonly balanceNanoUsd: bigint;
}

/**
 * An upstream stated a usage that the call's request rules out. Only administrators see it: it has
 * no account.
 */
export interface UsageAlert extends AlertBase {
  readonly type: "usage";
  readonly upstreamId: string;
  readonly model: string;
  /** The first such call of the day; its log row has both usages in full. */
  readonly callId: string;
  readonly statedTokens: number;
  readonly countedTokens: number;
  /** The usage that determined the charge. */
  readonly charged: "stated" | "counted";
}

/** Returns the used percentage of a budget, rounded down: 100 only once all of it is used. */
export function percentUsed(
  { limitNanoUsd, spentNanoUsd }: Pick<BudgetAlert, "limitNanoUsd" | "spentNanoUsd">,
): number {
  return Number(spentNanoUsd * 100n / limitNanoUsd);
}

/** Something that the owner or an administrator should know in time. */
export type Alert = BudgetAlert | BalanceAlert | UsageAlert;

const kind: Kind<Alert> = { name: "alert", version: 1 };

/** A page of alerts. */
interface AlertPage {
  /** Newest first. */
  readonly alerts: readonly Alert[];
  /** The `before` of the next page; absent on the last page. */
  readonly next?: string;
}

/** Selects alerts, and the position of the page to read. */
interface AlertQuery {
  /** Absent: alerts of all accounts and groups. */
  readonly accountId?: string;
  readonly before?: string;
  readonly limit: number;
}

/** Returns the alerts of an account, or all alerts, newest first. */
export async function listAlerts(
  store: Store,
  { accountId, before, limit }: AlertQuery,
): Promise<AlertPage> {
  const prefix = accountId === undefined ? keys.alerts : keys.alertsOfAccount(accountId);
  const selector = before === undefined ? { prefix } : { prefix, end: [...prefix, before] };
  const ids: string[] = [];
  for await (const { key } of store.kv.list(selector, { reverse: true, limit: limit + 1 })) {
    ids.push(String(key.at(-1)));
  }
  const found = await getRecords(store, kind, ids.slice(0, limit).map(keys.alert));
  return {
    alerts: found.filter((alert) => alert !== undefined), // an alert and its list entry expire separately
    ...(ids.length > limit && { next: ids[limit - 1] }),
  };
}

/** Returns undefined if there is no such alert, or if it has expired. */
export function getAlert(store: Store, id: string): Promise<Alert | undefined> {
  return getRecord(store, kind, keys.alert(id));
}

/** Adds the writing of an alert, new or changed, to a commit. It expires by itself. */
export function putAlert(
  operation: AtomicOperation,
  alert: Alert,
  nowMs: number,
): AtomicOperation {
  const expireIn = Math.max(1, alert.expiresAtMs - nowMs);
  if (alert.accountId !== undefined) {
    operation.set(keys.alertOfAccount(alert.accountId, alert.id), true, { expireIn });
  }
  return operation.set(keys.alert(alert.id), encodeRecord(kind, alert), { expireIn });
}
