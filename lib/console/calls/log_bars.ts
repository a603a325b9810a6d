import { dayOf, startOfDay } from "../page/period.ts";

/** The calls of one interval. */
export interface LogBar {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly requests: number;
  readonly failures: number;
}

/** The last bar with calls but the current one, which is not over. */
export function lastWholeBar(bars: readonly LogBar[], nowMs: number): number {
  const at = bars.findLastIndex(({ requests, toMs }) => requests > 0 && toMs <= nowMs);
  return at < 0 ? bars.findLastIndex(({ requests }) => requests > 0) : at;
}

/** A number of events at one time. */
export interface TimedCount {
  readonly atMs: number;
  readonly requests: number;
  readonly failures: number;
}

interface Period {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
/** Keeps bars wide enough to click. */
const barsMax = 31;
const lengthsMs = [
  ...[1, 5, 15].map((minutes) => minutes * minuteMs),
  ...[1, 3, 12].map((hours) => hours * hourMs),
  ...[1, 2, 4, 7, 14, 30, 90, 365].map((days) => days * dayMs),
];

/** The span of one bar: the shortest that keeps the number of bars below the maximum. */
export function barMs(period: Period, timeZone: string): number {
  const fitting = lengthsMs.find((lengthMs) =>
    boundsOf(period, lengthMs, timeZone).length <= barsMax
  );
  return fitting ?? lengthsMs[lengthsMs.length - 1];
}

/** The start of each bar over a period, oldest first, and the end of the last one. */
export function barBounds(period: Period, timeZone: string): readonly number[] {
  const bounds = boundsOf(period, barMs(period, timeZone), timeZone);
  return bounds.slice(-barsMax - 1);
}

/** Bars over a period, oldest first. Days are those of the zone. */
export function logBars(
  happened: Iterable<TimedCount>,
  period: Period,
  timeZone: string,
): LogBar[] {
  const bounds = barBounds(period, timeZone);
  const bars = bounds.slice(1).map((toMs, at) => ({
    fromMs: bounds[at],
    toMs,
    requests: 0,
    failures: 0,
  }));
  for (const { atMs, requests, failures } of happened) {
    const bar = bars[bounds.findLastIndex((startMs) => startMs <= atMs)];
    if (bar === undefined) continue;
    bar.requests += requests;
    bar.failures += failures;
  }
  return bars;
}

/** Bounds that are multiples of a length: of days from the first one on, else of the clock. */
function boundsOf({ fromMs, toMs }: Period, lengthMs: number, timeZone: string): number[] {
  if (lengthMs >= dayMs) return dayBounds({ fromMs, toMs }, lengthMs / dayMs, timeZone);
  const offsetMs = lengthMs > hourMs ? dayOf(fromMs, timeZone).startMs : 0;
  const first = Math.floor((fromMs - offsetMs) / lengthMs);
  const count = Math.ceil((toMs - offsetMs) / lengthMs) - first;
  if (count > barsMax) return Array.from({ length: barsMax + 1 }, () => fromMs);
  return Array.from({ length: count + 1 }, (_, at) => offsetMs + (first + at) * lengthMs);
}

function dayBounds({ fromMs, toMs }: Period, days: number, timeZone: string): number[] {
  const found: number[] = [];
  let { date, startMs } = dayOf(fromMs, timeZone);
  while (startMs < toMs && found.length <= barsMax) {
    found.push(startMs);
    date = date.add({ days });
    startMs = startOfDay(date, timeZone);
  }
  return [...found, startMs];
}
