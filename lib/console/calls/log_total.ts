import { usageTotals } from "../../ledger/mod.ts";
import { countRequestLogs, type LogFilter, readsRows } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { keptSubject, type LogTotal } from "./usage_summary.ts";

/** Maximum number of calls counted one by one. */
const countedMax = 1_000;

/**
 * The number of calls that match a filter: from the rollups if they cover the filter, else counted
 * up to 1,000.
 */
export async function readTotal(
  store: Store,
  filter: LogFilter,
  nowMs: number,
): Promise<LogTotal> {
  const { status, ...others } = filter;
  const subject = status === "failed" ? keptSubject(others, nowMs) : undefined;
  if (!subject) return await countRequestLogs(store, filter, countedMax);
  const { fromMs = 0, toMs = Infinity } = filter;
  const { counts } = await usageTotals(store, subject, { fromMs, toMs });
  return { count: counts.failures, more: false };
}

/**
 * Like `readTotal`, after a page was read. Uses the page if it has all matching calls, if its search
 * stopped early (a count stops earlier), or if counting would require reading rows.
 */
export async function totalAfter(
  store: Store,
  { rows, next }: { readonly rows: readonly unknown[]; readonly next?: string },
  { filter, limit, nowMs }: {
    readonly filter: LogFilter;
    /** The number of rows that the page was to have. */
    readonly limit: number;
    readonly nowMs: number;
  },
): Promise<LogTotal> {
  const read = { count: rows.length, more: next !== undefined };
  if (!read.more || rows.length < limit || readsRows(filter)) return read;
  const total = await readTotal(store, filter, nowMs);
  return total.count > read.count ? total : read;
}
