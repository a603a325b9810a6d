import { usageParts, usageTotals } from "../../ledger/mod.ts";
import { failureOf, type LogFilter, type RequestLogRow } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import {
  type Counts,
  percentile,
  type RollupSubject,
  subjects,
  sumsOfRows,
  type Times,
} from "../../store/usage/mod.ts";
import { dayOf, type PeriodReader, startOfDay, zoneFor } from "../page/period.ts";
import { barBounds, barMs, type LogBar, logBars, type TimedCount } from "./log_bars.ts";

/** The usage of some calls. */
export interface UsageSummary {
  readonly counts: Counts;
  /** The median duration in milliseconds; absent if no call took time. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** The median time to the first byte, in milliseconds; absent if no call had one. */
  readonly firstByteP50Ms?: number;
  readonly firstByteP95Ms?: number;
  readonly bars: readonly LogBar[];
  /** The number of all calls. */
  readonly total: LogTotal;
  /** The number of failed calls; absent if they were not counted. */
  readonly failed?: LogTotal;
  /** The number of newest calls in the sums; absent if the sums cover all calls. */
  readonly newest?: number;
}

/** The number of calls. */
export interface LogTotal {
  readonly count: number;
  /** True if there may be more. */
  readonly more: boolean;
}

const hourMs = 3_600_000;
/** The number of daily bars for a search without a period. */
const barDays = 26;
/** The number of newest calls that are added up if no rollup covers the filter. */
export const rowsSummed = 50;

/**
 * The usage of a filter's calls, from hourly rollups: of all calls, and of
 * those of one account, one of its keys, one group, one project or one model. Undefined for other filters.
 */
export async function keptSummary(
  store: Store,
  filter: LogFilter,
  reader: PeriodReader,
): Promise<UsageSummary | undefined> {
  const subject = keptSubject(filter, reader);
  return subject && await keptSums(store, subject, filter, reader);
}

/** The subject whose rollup covers a filter; undefined if none does. */
export function keptSubject(filter: LogFilter, reader: PeriodReader): RollupSubject | undefined {
  return isOfHours(filter, reader) ? subjectOf(filter) : undefined;
}

/** Totals of the newest calls of a filter; `total` is true if these are all of them. */
export function summaryOfRows(
  rows: readonly RequestLogRow[],
  { filter, total, reader }: {
    readonly filter: LogFilter;
    readonly total: LogTotal;
    readonly reader: PeriodReader;
  },
): UsageSummary {
  const oldestMs = rows.at(-1)?.atMs ?? reader.nowMs;
  const shown = shownPeriod({ fromMs: filter.fromMs ?? oldestMs, toMs: filter.toMs }, reader);
  const sums = sumsOfRows(rows);
  const isWhole = !total.more && total.count <= rows.length;
  const failed = isWhole ? { count: sums.counts.failures, more: false } : undefined;
  return {
    ...summaryOf(sums),
    bars: logBars(rows.map(happenedOf), shown, reader.timeZone),
    total,
    failed: filter.status === "failed" ? total : failed,
    ...(!isWhole && { newest: rows.length }),
  };
}

/** True if the filter covers whole hours, for which sums are stored. */
function isOfHours({ fromMs, toMs }: LogFilter, reader: PeriodReader): boolean {
  const whole = (fromMs ?? 0) % hourMs === 0 && (toMs ?? 0) % hourMs === 0;
  return whole && barMs(shownPeriod({ fromMs, toMs }, reader), reader.timeZone) >= hourMs;
}

function subjectOf(
  { fromMs: _from, toMs: _to, accountId, ...others }: LogFilter,
): RollupSubject | undefined {
  const [only, ...more] = Object.entries(others).filter(([, value]) => value !== undefined);
  if (more.length > 0) return undefined;
  if (only === undefined) {
    return accountId === undefined ? subjects.all() : subjects.account(accountId);
  }
  const { keyId, model, groupId, projectId } = others;
  if (model !== undefined) return subjects.model(model, accountId);
  if (keyId !== undefined && accountId !== undefined) return subjects.key(keyId, accountId);
  if (accountId !== undefined) return undefined;
  if (projectId !== undefined) return subjects.project(projectId);
  return groupId === undefined ? undefined : subjects.group(groupId);
}

async function keptSums(
  store: Store,
  subject: RollupSubject,
  { fromMs, toMs }: LogFilter,
  reader: PeriodReader,
): Promise<UsageSummary> {
  const shown = shownPeriod({ fromMs, toMs }, reader);
  const timeZone = zoneFor(shown.fromMs, reader);
  const [first, ...later] = barBounds(shown, timeZone);
  const startsMs = [first, ...later.slice(0, -1)] as const;
  const [totals, parts] = await Promise.all([
    usageTotals(store, subject, { fromMs: fromMs ?? 0, toMs: toMs ?? Infinity }),
    usageParts(store, subject, { startsMs, toMs: later.at(-1) ?? first }),
  ]);
  const happened = parts.map(({ requests, failures }, at) => ({
    atMs: startsMs[at],
    requests,
    failures,
  }));
  const { requests, failures } = totals.counts;
  return {
    ...summaryOf(totals),
    bars: logBars(happened, shown, timeZone),
    total: { count: requests, more: false },
    failed: { count: failures, more: false },
  };
}

function happenedOf({ atMs, outcome }: RequestLogRow): TimedCount {
  return { atMs, requests: 1, failures: failureOf[outcome] ? 1 : 0 };
}

function summaryOf(
  { counts, times }: { readonly counts: Counts; readonly times: Times },
): Omit<UsageSummary, "bars" | "total"> {
  return {
    counts,
    p50Ms: percentile(times.duration, 0.5),
    p95Ms: percentile(times.duration, 0.95),
    firstByteP50Ms: percentile(times.firstByte, 0.5),
    firstByteP95Ms: percentile(times.firstByte, 0.95),
  };
}

function shownPeriod(
  { fromMs, toMs }: Pick<LogFilter, "fromMs" | "toMs">,
  { nowMs, timeZone }: PeriodReader,
) {
  const endMs = Math.min(toMs ?? nowMs + 1, nowMs + 1);
  const firstDay = dayOf(endMs, timeZone).date.subtract({ days: barDays - 1 });
  return { fromMs: fromMs ?? startOfDay(firstDay, timeZone), toMs: endMs };
}
