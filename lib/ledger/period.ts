import type { BudgetPeriod, CalendarPeriod } from "../store/money/mod.ts";

/** The time span that a limit applies to; its end is exclusive. */
export interface Period {
  /** Sorts chronologically within a kind: `2026-11-21`, `2026-W47`, `2026-11`, `total`, `5h`. */
  readonly id: string;
  /** Epoch milliseconds; absent for `total` and rolling windows, which neither begin nor end. */
  readonly startsAtMs?: number;
  readonly endsAtMs?: number;
}

type Bounded = Required<Period>;

/**
 * The period that contains a moment: a day, an ISO week (from Monday) or a month, each from
 * midnight to midnight in the zone, so that a day may have 23 or 25 hours. `timeZone` is an IANA
 * name; an unknown one throws a `RangeError`. Ids are unique within a zone, not across zones.
 */
export function periodOf(period: BudgetPeriod, timeZone: string, atMs: number): Period {
  if (!isCalendar(period)) return { id: period };
  const cacheKey = `${period} ${timeZone}`;
  const latest = latestPeriods.get(cacheKey);
  if (latest && latest.startsAtMs <= atMs && atMs < latest.endsAtMs) return latest;
  const found = calendarPeriod(period, timeZone, atMs);
  if (!latest || latest.endsAtMs <= atMs) latestPeriods.set(cacheKey, found);
  return found;
}

/** The minute that contains a moment; minutes are the same in all zones. */
export function minuteOf(atMs: number): Bounded {
  const minute = Math.floor(atMs / minuteMs);
  return {
    id: String(minute).padStart(minuteDigits, "0"),
    startsAtMs: minute * minuteMs,
    endsAtMs: (minute + 1) * minuteMs,
  };
}

const minuteMs = 60_000;
/** Enough digits for thousands of years, so that ids sort. */
const minuteDigits = 10;

/** The newest period by kind and zone: a cache, because calendar arithmetic is slow. */
const latestPeriods = new Map<string, Bounded>();

type Calendar = Exclude<CalendarPeriod, "total" | "session">;

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

function isCalendar(period: BudgetPeriod): period is Calendar {
  return period in calendar;
}

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
