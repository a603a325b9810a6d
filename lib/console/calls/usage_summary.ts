import { usageParts, usagePoints, usageTotals } from "../../ledger/mod.ts";
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
import { type PeriodReader, zoneFor } from "../page/period.ts";
import { barBounds, barMs, type LogBar, logBars, type TimedCount } from "./log_bars.ts";
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
  reader: PeriodReader,
): Promise<UsageSummary | undefined> {
  const subject = keptSubject(filter, reader);
  const sums = subject && await keptSums(store, subject, filter, reader);
  return sums && subject.dimension === "tag" && sums.total.count === 0 ? undefined : sums;
}

/** The subject whose rollup covers a filter; undefined if none does. */
export function keptSubject(filter: LogFilter, reader: PeriodReader): RollupSubject | undefined {
  return isOfHours(filter, reader) ? subjectOf(filter) : undefined;
}

/** A filter as rollups know it and as indexes find it soonest. */
interface Selection {
  readonly filter: LogFilter;
  readonly indexed: LogFilter;
  readonly reader: PeriodReader;
}

/** The usage of a filter that no rollup covers: sums of the newest calls, and counts of all. */
export async function summaryOfRead(
  store: Store,
  { rows, more }: ReadCalls,
  { filter, indexed, reader }: Selection,
): Promise<UsageSummary> {
  const counted = more && !readsRows(filter)
    ? await countedCalls(store, { filter, indexed, reader })
    : countedIn(rows, more);
  const oldestMs = counted.happened.at(-1)?.atMs ?? reader.nowMs;
  const fromMs = counted.total.more ? oldestMs : filter.fromMs ?? oldestMs;
  const shown = counted.shown ?? shownPeriod({ fromMs, toMs: filter.toMs }, reader);
  return {
    ...summaryOf(sumsOfRows(rows)),
    bars: barsOf(counted.happened, shown, reader),
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
  /** The period of bars that were read; absent for single calls. */
  readonly shown?: ShownPeriod;
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
  { filter: { status, ...others }, indexed, reader }: Selection,
): Promise<CountedCalls> {
  const subject = status === "failed" && others.model === undefined
    ? keptSubject(others, reader)
    : undefined;
  if (subject) return await failuresOf(store, subject, others, reader);
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
  reader: PeriodReader,
): Promise<CountedCalls> {
  const { happened, shown } = await readSeries(store, subject, { filter, reader });
  const total = {
    count: happened.reduce((sum, { failures }) => sum + failures, 0),
    more: false,
  };
  const failed = happened.filter(({ failures }) => failures > 0)
    .map(({ atMs, failures }) => ({ atMs, requests: failures, failures }));
  return { happened: failed.reverse(), total, failed: total, shown };
}

/** True if the filter covers whole hours, for which sums are stored. */
function isOfHours({ fromMs, toMs }: LogFilter, reader: PeriodReader): boolean {
  const whole = (fromMs ?? 0) % hourMs === 0 && (toMs ?? 0) % hourMs === 0;
  return whole && (fromMs === undefined ||
    barMs(shownPeriod({ fromMs, toMs }, reader), reader.timeZone) >= hourMs);
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
  reader: PeriodReader,
): Promise<UsageSummary> {
  const { fromMs = 0, toMs = Infinity } = filter;
  const uncounted = await readUncounted(store, filter);
  const { happened: added } = countedIn(uncounted.rows, false);
  const [kept, series] = await Promise.all([
    usageTotals(store, subject, { fromMs, toMs }),
    readSeries(store, subject, { filter, reader, added }),
  ]);
  const totals = withUncounted(kept, uncounted);
  const { requests, failures } = totals.counts;
  return {
    ...summaryOf(totals),
    bars: barsOf([...series.happened, ...added], series.shown, reader),
    total: { count: requests, more: uncounted.more },
    failed: { count: failures, more: uncounted.more },
  };
}

/** The counts of each bar, oldest first. */
async function readSeries(
  store: Store,
  subject: RollupSubject,
  { filter: { fromMs, toMs }, reader, added = [] }: {
    readonly filter: LogFilter;
    readonly reader: PeriodReader;
    readonly added?: readonly TimedCount[];
  },
) {
  const whole = shownPeriod({ fromMs: fromMs ?? 0, toMs }, reader);
  const shown = fromMs === undefined
    ? { ...whole, fromMs: await firstCallMs(store, subject, { period: whole, added }) }
    : whole;
  const bounds = barBounds(shown, zoneFor(shown.fromMs, reader));
  const firstMs = Math.max(bounds[0], fromMs ?? 0);
  const startsMs = [firstMs, ...bounds.slice(1, -1)] as const;
  const endMs = Math.min(bounds[bounds.length - 1], toMs ?? Infinity);
  const parts = await usageParts(store, subject, { startsMs, toMs: endMs });
  const happened = parts.map(({ requests, failures }, at) => ({
    atMs: startsMs[at],
    requests,
    failures,
  }));
  return { happened, shown };
}

/** The start of the hour or day of the first call, at least a day ago: bars last an hour or more. */
async function firstCallMs(
  store: Store,
  subject: RollupSubject,
  { period, added }: { readonly period: ShownPeriod; readonly added: readonly TimedCount[] },
): Promise<number> {
  const [first] = await usagePoints(store, subject, period);
  const times = [...first ? [first] : [], ...added].map(({ atMs }) => atMs);
  return Math.min(...times, period.toMs - dayMs);
}

function barsOf(
  happened: readonly TimedCount[],
  shown: ShownPeriod,
  reader: PeriodReader,
): LogBar[] {
  return logBars(happened, shown, zoneFor(shown.fromMs, reader));
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

/** The period of a chart. */
interface ShownPeriod {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

function shownPeriod(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs?: number | undefined },
  { nowMs }: PeriodReader,
): ShownPeriod {
  return { fromMs, toMs: Math.min(toMs ?? nowMs + 1, nowMs + 1) };
}
