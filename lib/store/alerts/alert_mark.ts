import { keys } from "../keys.ts";
import { decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { addToOutbox } from "../webhooks/outbox.ts";
import { type Alert, putAlert } from "./alert.ts";

/** The alerts already raised for a budget amount in one period. */
export interface BudgetMark {
  /** The highest threshold that was reached, in percent; 0 for none. */
  readonly reached: number;
  /** True if an alert reported refused calls. */
  readonly refused: boolean;
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
interface MarkRead<Mark> {
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
export async function changeBudgetMark(
  store: Store,
  { entry }: MarkRead<BudgetMark>,
  change: MarkChange<BudgetMark>,
): Promise<boolean> {
  return await commit(store, entry, { ...change, kind: budgetKind });
}

/** Like `changeBudgetMark`, for a balance. */
export async function changeBalanceMark(
  store: Store,
  { entry }: MarkRead<BalanceMark>,
  change: MarkChange<BalanceMark>,
): Promise<boolean> {
  return await commit(store, entry, { ...change, kind: balanceKind });
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
  return { mark: entry.value === null ? undefined : decodeRecord(kind, entry.value), entry };
}

async function commit<Mark extends object>(
  store: Store,
  entry: Deno.KvEntryMaybe<unknown>,
  { kind, mark, expiresAtMs, alert, nowMs }: MarkChange<Mark> & { readonly kind: Kind<Mark> },
): Promise<boolean> {
  const operation = store.kv.atomic().check(entry);
  const expiry = expiresAtMs === undefined ? {} : { expireIn: Math.max(1, expiresAtMs - nowMs) };
  if (mark === undefined) operation.delete(entry.key);
  else operation.set(entry.key, encodeRecord(kind, mark), expiry);
  if (alert) addToOutbox(putAlert(operation, alert, nowMs), { source: "alert", id: alert.id });
  return (await operation.commit()).ok;
}
