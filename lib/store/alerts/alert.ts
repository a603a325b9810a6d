import type { CacheAdvice, CacheMiss, LimitOwner } from "../../canonical/mod.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { decodeRecord, encodeRecord, getRecord, getRecords, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import type { BudgetPeriod } from "../money/budget.ts";
import { addToOutbox } from "../webhooks/outbox.ts";

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

/** The vendor shuts down a model that is still called. Only administrators see it. */
export interface RetirementAlert extends AlertBase {
  readonly type: "retirement";
  readonly model: string;
  /** The day of the end, such as `2027-01-14`. */
  readonly retires: string;
  /** The model that the vendor recommends instead. */
  readonly successor?: string;
}

/** Calls of a key, or of one of its sessions, wrote caches of upstreams for a day and read none. */
export interface CacheAlert extends AlertBase {
  readonly type: "cache";
  /** Absent for calls without a session. */
  readonly sessionId?: string;
  readonly model: string;
  /** The last such call. */
  readonly callId: string;
  readonly calls: number;
  readonly writtenTokens: number;
  /** The extra cost of the calls over the same calls without caches. */
  readonly lostNanoUsd: bigint;
  /** The known cause. */
  readonly miss?: CacheMiss;
  readonly advice: CacheAdvice;
}

/** Returns the used percentage of a budget, rounded down: 100 only once all of it is used. */
export function percentUsed(
  { limitNanoUsd, spentNanoUsd }: Pick<BudgetAlert, "limitNanoUsd" | "spentNanoUsd">,
): number {
  return Number(spentNanoUsd * 100n / limitNanoUsd);
}

/** Something that the owner or an administrator should know in time. */
export type Alert = BudgetAlert | BalanceAlert | UsageAlert | RetirementAlert | CacheAlert;

const kind: Kind<Alert> = { name: "alert", version: 1 };

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

/** The alerts already raised for a budget amount in one period. */
export interface BudgetMark {
  /** The highest threshold that was reached, in percent; 0 for none. */
  readonly reached: number;
  /** True if an alert reported refused calls. */
  readonly refused: boolean;
  /** The end of the period; after it, a rolling budget raises its alerts again. */
  readonly endsAtMs?: number;
}

/** The alerts already raised for a low balance; deleted once it recovers. */
export interface BalanceMark {
  readonly low: boolean;
  /** True if an alert reported refused calls. */
  readonly refused: boolean;
  /** The wallet at the last check, in nano-dollars. */
  readonly fundedNanoUsd: bigint;
  readonly spentNanoUsd: bigint;
}

/** A mark with its version, so that a commit fails if the mark has changed since. */
interface MarkRead<Mark extends object> {
  readonly kind: Kind<Mark>;
  readonly mark: Mark | undefined;
  readonly entry: Deno.KvEntryMaybe<unknown>;
}

const budgetKind: Kind<BudgetMark> = { name: "mark of a budget's alerts", version: 1 };

const balanceKind: Kind<BalanceMark> = { name: "mark of a balance's alerts", version: 1 };

/** Reads the mark of a budget. A budget with a changed amount has a new mark. */
export function readBudgetMark(
  store: Store,
  allowanceId: string,
  limitNanoUsd: bigint,
): Promise<MarkRead<BudgetMark>> {
  return read(store, budgetKind, `${allowanceId}:${limitNanoUsd}`);
}

/** Reads the mark of a balance; see `readBudgetMark`. */
export function readBalanceMark(
  store: Store,
  allowanceId: string,
): Promise<MarkRead<BalanceMark>> {
  return read(store, balanceKind, allowanceId);
}

interface MarkChange<Mark> {
  /** Absent: the mark is deleted. */
  readonly mark?: Mark;
  /** Time after which the mark is no longer needed. */
  readonly expiresAtMs?: number;
  /** The alert that reports the change. Webhooks send it as an event. */
  readonly alert?: Alert;
  readonly nowMs: number;
}

/**
 * Changes a mark and raises its alert in one commit. Returns true for only one of any concurrent
 * callers.
 */
export async function changeMark<Mark extends object>(
  store: Store,
  { kind, entry }: MarkRead<Mark>,
  { mark, expiresAtMs, alert, nowMs }: MarkChange<Mark>,
): Promise<boolean> {
  const operation = store.kv.atomic().check(entry);
  const expiry = expiresAtMs === undefined ? {} : { expireIn: Math.max(1, expiresAtMs - nowMs) };
  if (mark === undefined) operation.delete(entry.key);
  else operation.set(entry.key, encodeRecord(kind, mark), expiry);
  if (alert) addToOutbox(putAlert(operation, alert, nowMs), { source: "alert", id: alert.id });
  return (await operation.commit()).ok;
}

/**
 * Raises an alert unless its mark exists, in one commit. Returns true for only one of any
 * concurrent callers.
 */
export async function raiseAlertOnce(
  store: Store,
  mark: { readonly id: string; readonly expiresAtMs: number },
  { alert, nowMs }: { readonly alert: Alert; readonly nowMs: number },
): Promise<boolean> {
  const key = keys.alertMark(mark.id);
  const operation = store.kv.atomic().check({ key, versionstamp: null })
    .set(key, true, { expireIn: Math.max(1, mark.expiresAtMs - nowMs) });
  addToOutbox(putAlert(operation, alert, nowMs), { source: "alert", id: alert.id });
  return (await operation.commit()).ok;
}

async function read<Mark extends object>(
  store: Store,
  kind: Kind<Mark>,
  id: string,
): Promise<MarkRead<Mark>> {
  const entry = await store.kv.get(keys.alertMark(id));
  return { kind, mark: entry.value === null ? undefined : decodeRecord(kind, entry.value), entry };
}
