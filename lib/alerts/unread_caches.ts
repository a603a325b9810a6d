import { BoundedMap } from "../bounded_map.ts";
import { cacheAdviceFor, type CacheMiss, cacheWriteTokens } from "../canonical/mod.ts";
import { sessionUsage, usageTotals } from "../ledger/mod.ts";
import { type CacheAlert, raiseAlertOnce } from "../store/alerts/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { addCounts, type Counts, noCounts, subjects } from "../store/usage/mod.ts";
import { alertAbout, type CheckOptions } from "./owner.ts";

/** The calls of a key and session that wrote caches, since one of them read any. */
interface UnreadCaches {
  /** The last of them. */
  readonly row: RequestLogRow;
  readonly calls: number;
  /** The last known cause for which one of them missed. */
  readonly miss?: CacheMiss;
  /** True if the cache of each call had expired before the next call. */
  readonly areFar: boolean;
}

const notedMax = 2_000;
/** Fewer calls or tokens may be a coincidence. */
const unreadCallsMin = 3;
const tokensMin = 10_000;
const minuteMs = 60_000;
const [shortestMs, longMs] = [5 * minuteMs, 60 * minuteMs];
const windowMs = 24 * 60 * minuteMs;
/** The sums of sessions are kept as long. */
const markedMs = 30 * windowMs;

/** Counts calls that write caches and read none, in this isolate. Never waits. */
export class UnreadCacheWatch {
  readonly #noted = new BoundedMap<string, UnreadCaches>(notedMax);
  #due = new Map<string, UnreadCaches>();

  note(row: RequestLogRow): void {
    const { usage } = row;
    if (usage && usage.cacheReadTokens > 0) this.#forget(nameOf(row));
    else if (usage && cacheWriteTokens(usage) > 0) this.#add(nameOf(row), row);
  }

  /** Takes those that are due for a check. */
  take(): readonly UnreadCaches[] {
    const due = [...this.#due.values()];
    this.#due = new Map();
    return due;
  }

  putBack(unread: UnreadCaches): void {
    this.#due.set(nameOf(unread.row), unread);
  }

  #forget(name: string): void {
    this.#noted.delete(name);
    this.#due.delete(name);
  }

  #add(name: string, row: RequestLogRow): void {
    const known = this.#noted.get(name);
    const calls = (known?.calls ?? 0) + 1;
    const miss = row.cacheMiss ?? known?.miss;
    const isFar = !known || row.atMs - known.row.atMs > lifetimeOf(known.row);
    const areFar = (known?.areFar ?? true) && isFar;
    const unread = { row, calls, areFar, ...(miss !== undefined && { miss }) };
    this.#noted.set(name, unread);
    if (calls % unreadCallsMin === 0) this.#due.set(name, unread);
  }
}

function nameOf({ keyId, session }: RequestLogRow): string {
  return `${keyId} ${session?.id ?? ""}`;
}

function lifetimeOf({ usage }: RequestLogRow): number {
  return usage && usage.cacheWrite5mTokens === 0 ? longMs : shortestMs;
}

/**
 * Raises an alert if calls of a key and session, or of a key without sessions, wrote caches in the last
 * day and read none, once in 30 days. The sums decide, because other isolates may have read.
 */
export async function checkUnreadCaches(
  unread: UnreadCaches,
  options: CheckOptions,
): Promise<CacheAlert | undefined> {
  const { store, now } = options;
  const nowMs = now();
  const counts = await countsOf(store, unread.row, { fromMs: nowMs - windowMs, toMs: nowMs + 1 });
  const isUnread = counts.requests >= unreadCallsMin && counts.cacheReadTokens === 0 &&
    cacheWriteTokens(counts) >= tokensMin && counts.cacheSavedNanoUsd < 0n;
  if (!isUnread) return undefined;
  const alert = alertOf(unread, counts, options);
  const mark = { id: alert.allowanceId, expiresAtMs: nowMs + markedMs };
  return await raiseAlertOnce(store, mark, { alert, nowMs }) ? alert : undefined;
}

async function countsOf(
  store: Store,
  { keyId, accountId, session }: RequestLogRow,
  period: { readonly fromMs: number; readonly toMs: number },
): Promise<Counts> {
  if (!session) {
    return (await usageTotals(store, subjects.key(keyId, accountId), period)).counts;
  }
  const { hours } = await sessionUsage(store, { id: keyId }, { id: session.id });
  return hours.filter(({ atMs }) => atMs >= period.fromMs)
    .reduce((all, { sum }) => addCounts(all, sum), noCounts);
}

function alertOf(unread: UnreadCaches, counts: Counts, options: CheckOptions): CacheAlert {
  const { row, areFar } = unread;
  const miss = unread.miss ?? (areFar ? "expired" : undefined);
  const { keyId, keyName: name, accountId } = row;
  return {
    ...alertAbout({ owner: "key", id: keyId }, { name, accountId }, options),
    type: "cache",
    allowanceId: `cache:${nameOf(row)}`,
    refused: false,
    ...(row.session && { sessionId: row.session.id }),
    model: row.model,
    callId: row.id,
    calls: counts.requests,
    writtenTokens: cacheWriteTokens(counts),
    lostNanoUsd: -counts.cacheSavedNanoUsd,
    ...(miss !== undefined && { miss }),
    advice: cacheAdviceFor(miss, row),
  };
}
