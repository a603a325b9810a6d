import { usageSeries, usageTotals } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";
import {
  addTimes,
  type Counts,
  type Histogram,
  noTimes,
  percentile,
  readTimes,
  subjects,
} from "../../store/usage/mod.ts";

const [hourMs, dayMs] = [3_600_000, 86_400_000];
/** The hours of health, and the days of spend, on the pages of upstreams. */
export const [healthHours, spendDays] = [24, 14];

/** The calls of one UTC hour. */
interface UpstreamHour {
  readonly atMs: number;
  readonly counts: Counts;
}

/** The calls of an upstream in the last 24 hours. */
export interface UpstreamDay {
  readonly hours: readonly UpstreamHour[];
  readonly calls: number;
  /** 0 to 1; absent without calls. */
  readonly successShare?: number;
  /** Milliseconds to the first byte; absent without answers. */
  readonly firstByteMs?: FirstByte;
}

/** The same, and its spend. */
export interface UpstreamFigures extends UpstreamDay {
  readonly spentNanoUsd: bigint;
}

interface FirstByte {
  readonly p50: number;
  readonly p95: number;
}

/** The figures of one row of the list. */
export async function upstreamFigures(
  store: Store,
  upstreamId: string,
  nowMs: number,
): Promise<UpstreamFigures> {
  const [day, { counts }] = await Promise.all([
    upstreamDay(store, upstreamId, nowMs),
    usageTotals(store, subjects.upstream(upstreamId), daysUntil(nowMs)),
  ]);
  return { ...day, spentNanoUsd: counts.costNanoUsd };
}

/** Reads sums by hour, which hold over restarts. */
export async function upstreamDay(
  store: Store,
  upstreamId: string,
  nowMs: number,
): Promise<UpstreamDay> {
  const subject = subjects.upstream(upstreamId);
  const period = { ...lastDay(nowMs), step: "hour" } as const;
  const hours = await usageSeries(store, subject, period); // compacts
  const times = await readTimes(store, subject, period);
  const calls = sum(hours, "requests");
  const firstByteMs = firstByteOf(
    times.reduce((all, one) => addTimes(all, one.sum), noTimes).firstByte,
  );
  return {
    hours,
    calls,
    ...(calls > 0 && { successShare: 1 - sum(hours, "failures") / calls }),
    ...(firstByteMs && { firstByteMs }),
  };
}

/** The spend of an upstream by day, and what it compares with. */
export interface UpstreamSpend {
  readonly byDay: readonly bigint[];
  /** The spend of the previous period of equal length. */
  readonly beforeNanoUsd: bigint;
  /** The spend at all upstreams. */
  readonly allNanoUsd: bigint;
}

export async function upstreamSpend(
  store: Store,
  upstreamId: string,
  nowMs: number,
): Promise<UpstreamSpend> {
  const subject = subjects.upstream(upstreamId);
  const period = daysUntil(nowMs);
  const before = { fromMs: 2 * period.fromMs - period.toMs, toMs: period.fromMs };
  const [days, past, all] = await Promise.all([
    usageSeries(store, subject, { ...period, step: "day" }),
    usageTotals(store, subject, before),
    usageTotals(store, subjects.all(), period),
  ]);
  return {
    byDay: days.map(({ counts }) => counts.costNanoUsd),
    beforeNanoUsd: past.counts.costNanoUsd,
    allNanoUsd: all.counts.costNanoUsd,
  };
}

/** The time to the first byte of each of the last hours; absent for an hour without answers. */
export async function firstByteByHour(
  store: Store,
  upstreamId: string,
  nowMs: number,
): Promise<readonly (FirstByte | undefined)[]> {
  const { fromMs, toMs } = lastDay(nowMs);
  const points = await readTimes(store, subjects.upstream(upstreamId), {
    step: "hour",
    fromMs,
    toMs,
  });
  const found = new Map(points.map(({ atMs, sum }) => [atMs, firstByteOf(sum.firstByte)]));
  return Array.from({ length: healthHours }, (_, at) => found.get(fromMs + at * hourMs));
}

function firstByteOf(histogram: Histogram): FirstByte | undefined {
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(histogram, share));
  return p50 === undefined || p95 === undefined ? undefined : { p50, p95 };
}

function sum(hours: readonly UpstreamHour[], name: "requests" | "failures"): number {
  return hours.reduce((total, { counts }) => total + counts[name], 0);
}

/** The last 24 hours: whole UTC hours, the current one included. */
export function lastDay(nowMs: number) {
  const toMs = (Math.floor(nowMs / hourMs) + 1) * hourMs;
  return { fromMs: toMs - healthHours * hourMs, toMs };
}

/** Whole UTC days, because sums are kept per UTC day. */
function daysUntil(nowMs: number) {
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  return { fromMs: toMs - spendDays * dayMs, toMs };
}
