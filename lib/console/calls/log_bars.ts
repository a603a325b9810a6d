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
const barsMax = 26;
const lengthsMs = [
  ...[1, 5, 15].map((minutes) => minutes * minuteMs),
  ...[1, 3, 12].map((hours) => hours * hourMs),
  ...[1, 2, 4, 7, 14, 30, 90, 365].map((days) => days * dayMs),
];

/** The span of one bar: the shortest that keeps the number of bars below the maximum. */
export function barMs(period: Period): number {
  const fitting = lengthsMs.find((lengthMs) => {
    const { first, last } = placesOf(period, lengthMs);
    return last - first < barsMax;
  });
  return fitting ?? lengthsMs[lengthsMs.length - 1];
}

/** Bars of equal length over a period, oldest first. */
export function logBars(happened: Iterable<TimedCount>, period: Period): LogBar[] {
  const lengthMs = barMs(period);
  const { first, last } = placesOf(period, lengthMs);
  const start = Math.max(first, last - barsMax + 1);
  const bars = Array.from({ length: Math.max(last - start + 1, 0) }, (_, at) => ({
    fromMs: (start + at) * lengthMs,
    toMs: (start + at + 1) * lengthMs,
    requests: 0,
    failures: 0,
  }));
  for (const { atMs, requests, failures } of happened) {
    const bar = bars[Math.floor(atMs / lengthMs) - start];
    if (bar === undefined) continue;
    bar.requests += requests;
    bar.failures += failures;
  }
  return bars;
}

function placesOf({ fromMs, toMs }: Period, lengthMs: number) {
  return { first: Math.floor(fromMs / lengthMs), last: Math.ceil(toMs / lengthMs) - 1 };
}
