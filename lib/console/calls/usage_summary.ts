import { usagePoints, usageSeries, usageTotals } from "../../ledger/mod.ts";
import {
  failureOf,
  listCallTimes,
  type LogFilter,
  readsRows,
  type RequestLogRow,
} from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import {
  type Counts,
  percentile,
  type RollupSubject,
  subjects,
  sumsOfRows,
  type Times,
} from "../../store/usage/mod.ts";
import { barMs, type LogBar, logBars, type TimedCount } from "./log_bars.ts";
import { readUncounted, withUncounted } from "./uncounted.ts";

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
  /** The number of newest calls in the bars; absent if they cover all calls. */
  readonly charted?: number;
  /** The number of all calls. */
  readonly total: LogTotal;
  /** The number of failed calls; absent if they were not counted. */
  readonly failed?: LogTotal;
  /** The number of newest calls in the sums; absent if the sums cover all calls. */
  readonly newest?: number;
}

/** The number of calls. */
interface LogTotal {
  readonly count: number;
  /** True if there may be more. */
  readonly more: boolean;
}

/** The newest calls of a search, and whether there are more. */
interface ReadCalls {
  readonly rows: readonly RequestLogRow[];
  readonly more: boolean;
}

const [hourMs, dayMs] = [3_600_000, 86_400_000];
/** The number of newest calls that are added up if no rollup covers the filter. */
export const rowsSummed = 50;
/** The most calls that are counted one by one. */
const countedMax = 1_000;

/**
 * The usage of a filter's calls, from hourly rollups: of all calls, and of those of one account, one
 * of its keys, one group, one project, one tag or one model. Undefined for other filters.
 */
export async function keptSummary(
  store: Store,
  filter: LogFilter,
  nowMs: number,
): Promise<UsageSummary | undefined> {
  const subject = keptSubject(filter, nowMs);
  const sums = subject && await keptSums(store, subject, filter, nowMs);
  return sums && subject.dimension === "tag" && sums.total.count === 0 ? undefined : sums;
}

/** The subject whose rollup covers a filter; undefined if none does. */
export function keptSubject(filter: LogFilter, nowMs: number): RollupSubject | undefined {
  return isOfHours(filter, nowMs) ? subjectOf(filter) : undefined;
}

/** A filter as rollups know it and as indexes find it soonest. */
interface Selection {
  readonly filter: LogFilter;
  readonly indexed: LogFilter;
  readonly nowMs: number;
}

/** The usage of a filter that no rollup covers: sums of the newest calls, and counts of all. */
export async function summaryOfRead(
  store: Store,
  { rows, more }: ReadCalls,
  { filter, indexed, nowMs }: Selection,
): Promise<UsageSummary> {
  const counted = more && !readsRows(filter)
    ? await countedCalls(store, { filter, indexed, nowMs })
    : countedIn(rows, more);
  const oldestMs = counted.happened.at(-1)?.atMs ?? nowMs;
  const shown = shownPeriod({ fromMs: filter.fromMs ?? oldestMs, toMs: filter.toMs }, nowMs);
  return {
    ...summaryOf(sumsOfRows(rows)),
    bars: logBars(counted.happened, counted.total.more ? { ...shown, fromMs: oldestMs } : shown),
    ...(counted.total.more && { charted: counted.total.count }),
    total: counted.total,
    failed: counted.failed,
    ...(more && { newest: rows.length }),
  };
}

/** Calls that were counted, newest first. */
interface CountedCalls {
  readonly happened: readonly TimedCount[];
  readonly total: LogTotal;
  readonly failed?: LogTotal;
}

function countedIn(rows: readonly RequestLogRow[], more: boolean): CountedCalls {
  const happened = rows.map(({ atMs, outcome }): TimedCount => ({
    atMs,
    requests: 1,
    failures: failureOf[outcome] ? 1 : 0,
  }));
  const failures = happened.reduce((sum, one) => sum + one.failures, 0);
  return {
    happened,
    total: { count: rows.length, more },
    ...(!more && { failed: { count: failures, more } }),
  };
}

/** Failed calls of a rollup's subject, or else the newest calls, counted one by one. */
async function countedCalls(
  store: Store,
  { filter: { status, ...others }, indexed, nowMs }: Selection,
): Promise<CountedCalls> {
  const subject = status === "failed" && others.model === undefined
    ? keptSubject(others, nowMs)
    : undefined;
  if (subject) return await failuresOf(store, subject, others, nowMs);
  const options = { most: countedMax };
  const [all, bad] = await Promise.all([
    listCallTimes(store, indexed, options),
    status === "failed" ? undefined : listCallTimes(store, indexed, { ...options, failed: true }),
  ]);
  const failed = bad ?? all;
  const happened = [
    ...all.timesMs.map((atMs) => ({ atMs, requests: 1, failures: 0 })),
    ...failed.timesMs.map((atMs) => ({ atMs, requests: 0, failures: 1 })),
  ].sort((a, b) => b.atMs - a.atMs);
  return { happened, total: totalOf(all), failed: totalOf(failed) };
}

function totalOf(
  { timesMs, more }: { readonly timesMs: readonly number[]; readonly more: boolean },
): LogTotal {
  return { count: timesMs.length, more };
}

async function failuresOf(
  store: Store,
  subject: RollupSubject,
  filter: LogFilter,
  nowMs: number,
): Promise<CountedCalls> {
  const { happened } = await readSeries(store, subject, filter, nowMs);
  const total = {
    count: happened.reduce((sum, { failures }) => sum + failures, 0),
    more: false,
  };
  const failed = happened.filter(({ failures }) => failures > 0)
    .map(({ atMs, failures }) => ({ atMs, requests: failures, failures }));
  return { happened: failed.reverse(), total, failed: total };
}

/** True if the filter covers whole hours, for which sums are stored. */
function isOfHours({ fromMs, toMs }: LogFilter, nowMs: number): boolean {
  const whole = (fromMs ?? 0) % hourMs === 0 && (toMs ?? 0) % hourMs === 0;
  return whole && (fromMs === undefined || barMs(shownPeriod({ fromMs, toMs }, nowMs)) >= hourMs);
}

function subjectOf(
  { fromMs: _from, toMs: _to, accountId, ...others }: LogFilter,
): RollupSubject | undefined {
  const [only, ...more] = Object.entries(others).filter(([, value]) => value !== undefined);
  if (more.length > 0) return undefined;
  if (only === undefined) {
    return accountId === undefined ? subjects.all() : subjects.account(accountId);
  }
  const { keyId, model, groupId, projectId, tag } = others;
  if (model !== undefined) return subjects.model(model, accountId);
  if (keyId !== undefined && accountId !== undefined) return subjects.key(keyId, accountId);
  if (accountId !== undefined) return undefined;
  if (projectId !== undefined) return subjects.project(projectId);
  if (tag?.includes("=")) return subjects.tag(tag);
  return groupId === undefined ? undefined : subjects.group(groupId);
}

async function keptSums(
  store: Store,
  subject: RollupSubject,
  filter: LogFilter,
  nowMs: number,
): Promise<UsageSummary> {
  const { fromMs = 0, toMs = Infinity } = filter;
  const [kept, series, uncounted] = await Promise.all([
    usageTotals(store, subject, { fromMs, toMs }),
    readSeries(store, subject, filter, nowMs),
    readUncounted(store, filter),
  ]);
  const totals = withUncounted(kept, uncounted);
  const { requests, failures } = totals.counts;
  const happened = [...series.happened, ...countedIn(uncounted.rows, false).happened];
  return {
    ...summaryOf(totals),
    bars: logBars(happened, series.shown),
    total: { count: requests, more: uncounted.more },
    failed: { count: failures, more: uncounted.more },
  };
}

/** The counts of each hour or day, oldest first, from the first call if the filter has no start. */
async function readSeries(
  store: Store,
  subject: RollupSubject,
  { fromMs, toMs }: LogFilter,
  nowMs: number,
) {
  const whole = shownPeriod({ fromMs: fromMs ?? 0, toMs }, nowMs);
  const isHourly = fromMs !== undefined && barMs(whole) < dayMs;
  const points = isHourly
    ? await usageSeries(store, subject, { ...whole, step: "hour" })
    : await usagePoints(store, subject, whole);
  const happened = points.map(({ atMs, counts: { requests, failures } }): TimedCount => ({
    atMs,
    requests,
    failures,
  }));
  const shown = { ...whole, fromMs: fromMs ?? happened[0]?.atMs ?? whole.toMs };
  return { happened, shown };
}

function summaryOf(
  { counts, times }: { readonly counts: Counts; readonly times: Times },
): Pick<
  UsageSummary,
  "counts" | "p50Ms" | "p95Ms" | "firstByteP50Ms" | "firstByteP95Ms"
> {
  return {
    counts,
    p50Ms: percentile(times.duration, 0.5),
    p95Ms: percentile(times.duration, 0.95),
    firstByteP50Ms: percentile(times.firstByte, 0.5),
    firstByteP95Ms: percentile(times.firstByte, 0.95),
  };
}

function shownPeriod(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs?: number | undefined },
  nowMs: number,
) {
  return { fromMs, toMs: Math.min(toMs ?? nowMs + 1, nowMs + 1) };
}
