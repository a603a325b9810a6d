import type { BudgetPeriod } from "../store/money/mod.ts";

/** A stretch of time in which a limit counts, from its start up to but without its end. */
export interface Period {
  /** Sorts as time does among periods of a kind: `2026-11-21`, `2026-W47`, `2026-11`, `total`. */
  readonly id: string;
  /** Epoch milliseconds; absent for `total`, which neither begins nor ends. */
  readonly startsAtMs?: number;
  readonly endsAtMs?: number;
}

/** A period with a beginning and an end. */
type Bounded = Required<Period>;

/**
 * The period that holds a moment: a day, an ISO week (from Monday) or a month, each from midnight to
 * midnight in the zone, so that a day may have 23 or 25 hours. `timeZone` is an IANA name; an unknown
 * one throws a `RangeError`. Ids of one zone are unique; two zones share them, though at other times.
 */
export function periodOf(period: BudgetPeriod, timeZone: string, atMs: number): Period {
  if (period === "total") return total;
  const cacheKey = `${period} ${timeZone}`;
  const latest = latestPeriods.get(cacheKey);
  if (latest && latest.startsAtMs <= atMs && atMs < latest.endsAtMs) return latest;
  const found = calendarPeriod(period, timeZone, atMs);
  if (!latest || latest.endsAtMs <= atMs) latestPeriods.set(cacheKey, found);
  return found;
}

/** The minute that holds a moment; minutes are the same in all zones. */
export function minuteOf(atMs: number): Bounded {
  const minute = Math.floor(atMs / minuteMs);
  return {
    id: String(minute).padStart(minuteDigits, "0"),
    startsAtMs: minute * minuteMs,
    endsAtMs: (minute + 1) * minuteMs,
  };
}

const total: Period = { id: "total" };
const minuteMs = 60_000;
/** Enough for some thousand years to come, so that ids sort. */
const minuteDigits = 10;

/** The newest period that was asked for, by kind and zone: a calendar is slow, and calls ask at once for the same. */
const latestPeriods = new Map<string, Bounded>();

type Calendar = Exclude<BudgetPeriod, "total">;

interface CalendarRow {
  readonly id: (date: Temporal.PlainDate) => string;
  readonly start: (date: Temporal.PlainDate) => Temporal.PlainDate;
  readonly length: { readonly days: number } | { readonly months: number };
}

const calendar = {
  day: {
    id: (date) => date.toString(),
    start: (date) => date,
    length: { days: 1 },
  },
  week: {
    id: ({ yearOfWeek, weekOfYear }) => `${yearOfWeek}-W${String(weekOfYear).padStart(2, "0")}`,
    start: (date) => date.subtract({ days: date.dayOfWeek - 1 }),
    length: { days: 7 },
  },
  month: {
    id: (date) => date.toPlainYearMonth().toString(),
    start: (date) => date.with({ day: 1 }),
    length: { months: 1 },
  },
} as const satisfies Record<Calendar, CalendarRow>;

function calendarPeriod(period: Calendar, timeZone: string, atMs: number): Bounded {
  const row: CalendarRow = calendar[period];
  const date = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone)
    .toPlainDate();
  const start = row.start(date);
  const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  return {
    id: row.id(date),
    startsAtMs: midnight(start),
    endsAtMs: midnight(start.add(row.length)),
  };
}
