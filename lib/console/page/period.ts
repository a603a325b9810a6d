import { stepMs } from "../../store/log/mod.ts";
import { hoursKeptMs } from "../../store/usage/mod.ts";
import { withQuery } from "./address.ts";

/** The steps of a period: the bars of its chart. */
type PeriodStep = "hour" | "day" | "month";

type Length = { readonly days: number } | { readonly months: number };

/** A period of whole days of the reader's zone, from what today is. */
interface DaysRule {
  readonly step: PeriodStep;
  readonly first: (today: Temporal.PlainDate) => Temporal.PlainDate;
  /** The day after the last one; absent for a period that includes today. */
  readonly end?: (today: Temporal.PlainDate) => Temporal.PlainDate;
  /** The distance to the period that it is compared with. */
  readonly back: Length;
}

const monthOf = (date: Temporal.PlainDate) => date.with({ day: 1 });

const rules = {
  today: { step: "hour", first: (today) => today, back: { days: 1 } },
  yesterday: {
    step: "hour",
    first: (today) => today.subtract({ days: 1 }),
    end: (today) => today,
    back: { days: 1 },
  },
  week: {
    step: "day",
    first: (today) => today.subtract({ days: today.dayOfWeek - 1 }),
    back: { days: 7 },
  },
  month: { step: "day", first: monthOf, back: { months: 1 } },
  "last-month": {
    step: "day",
    first: (today) => monthOf(today).subtract({ months: 1 }),
    end: monthOf,
    back: { months: 1 },
  },
  "7d": lastDays(7),
  "14d": lastDays(14),
  "30d": lastDays(30),
  "90d": lastDays(90),
} as const satisfies Record<string, DaysRule>;

function lastDays(days: number): DaysRule {
  return { step: "day", first: (today) => today.subtract({ days: days - 1 }), back: { days } };
}

/** The periods with a name: calendar ones first, then those up to now. */
export type PeriodName = keyof typeof rules | "24h";
export const periodNames = [
  "today",
  "yesterday",
  "week",
  "month",
  "last-month",
  "24h",
  "7d",
  "14d",
  "30d",
  "90d",
] as const satisfies readonly PeriodName[];

/** The period that a page offers to a reader whose period has no calls. */
export const longestPeriod = "30d" satisfies PeriodName;

/** The choice of a period: by its name, or as days, both included. */
export interface PeriodChoice {
  readonly name: PeriodName | "range";
  /** Such as `2026-11-21`; both are present for a range alone. */
  readonly since?: string;
  readonly until?: string;
}

/** A period in whole UTC hours, its steps, and the period that it is compared with. */
export interface PeriodSpan extends PeriodChoice {
  /** The zone of its days; UTC for periods whose hours are no longer kept. */
  readonly timeZone: string;
  readonly step: PeriodStep;
  readonly beforeMs: number;
  /** Exclusive; the two periods need not touch. */
  readonly beforeEndMs: number;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** The start of each step. */
  readonly starts: readonly [number, ...number[]];
  /** The last step is the current one, which is not over. */
  readonly isRunning: boolean;
}

/** The reader of a page. */
export interface PeriodReader {
  readonly nowMs: number;
  /** An IANA name. */
  readonly timeZone: string;
}

/** The longest range of days; longer ones end earlier. */
const rangeDaysMax = 366;
/** The longest ranges of hours, and of days; longer ones have months. */
const [hourlyDays, dailyDays] = [2, 92];

/** Reads `?since=` and `until`, or `?period=`; ignores unknown values. */
export function readPeriod(
  fields: URLSearchParams,
  usual: PeriodName,
  reader: PeriodReader,
): PeriodSpan {
  return readRange(fields, reader) ?? spanOf(readPeriodName(fields) ?? usual, reader);
}

function readPeriodName(fields: URLSearchParams): PeriodName | undefined {
  return periodNames.find((period) => period === fields.get("period"));
}

/** The span of a period with a name. */
export function spanOf(name: PeriodName, reader: PeriodReader): PeriodSpan {
  if (name === "24h") return lastHours(24, reader);
  const rule: DaysRule = rules[name];
  const { nowMs, timeZone } = reader;
  const today = dateOf(nowMs, timeZone);
  const { step, back } = rule;
  const days = { first: rule.first(today), end: rule.end?.(today) ?? today.add({ days: 1 }) };
  return spanOfDays({ name }, { ...days, step, back }, reader);
}

function lastHours(hours: number, { nowMs, timeZone }: PeriodReader): PeriodSpan {
  const toMs = Math.floor(nowMs / stepMs.hour) * stepMs.hour + stepMs.hour;
  const fromMs = toMs - hours * stepMs.hour;
  return {
    name: "24h",
    timeZone,
    step: "hour",
    beforeMs: 2 * fromMs - toMs,
    beforeEndMs: fromMs,
    fromMs,
    toMs,
    starts: hoursBetween(fromMs, toMs),
    isRunning: true,
  };
}

function readRange(fields: URLSearchParams, reader: PeriodReader): PeriodSpan | undefined {
  const [since, until] = ["since", "until"].map((name) => readDate(fields.get(name)));
  const [one, other] = [since ?? until, until ?? since];
  if (!one || !other) return undefined;
  const [first, asked] = Temporal.PlainDate.compare(one, other) <= 0 ? [one, other] : [other, one];
  const days = Math.min(first.until(asked).days + 1, rangeDaysMax);
  const end = first.add({ days });
  const step = days <= hourlyDays ? "hour" : days <= dailyDays ? "day" : "month";
  const last = end.subtract({ days: 1 });
  const choice = { name: "range", since: String(first), until: String(last) } as const;
  return spanOfDays(choice, { first, end, step, back: { days } }, reader);
}

function spanOfDays(
  choice: PeriodChoice,
  { first, end, step, back }: {
    readonly first: Temporal.PlainDate;
    readonly end: Temporal.PlainDate;
    readonly step: PeriodStep;
    readonly back: Length;
  },
  { nowMs, timeZone: readers }: PeriodReader,
): PeriodSpan {
  const zoneOf = (date: Temporal.PlainDate) =>
    zoneFor(startOfDay(date, "UTC"), { nowMs, timeZone: readers });
  const at = (date: Temporal.PlainDate) => startOfDay(date, zoneOf(date));
  const endsMs = at(end);
  const isRunning = at(first) <= nowMs && nowMs < endsMs;
  const nextHourMs = Math.floor(nowMs / stepMs.hour) * stepMs.hour + stepMs.hour;
  const toMs = isRunning && step === "hour" ? Math.max(nextHourMs, at(first)) : endsMs;
  const beforeMs = at(first.subtract(back));
  const passedMs = toMs === endsMs ? at(end.subtract(back)) : beforeMs + toMs - at(first);
  return {
    ...choice,
    timeZone: zoneOf(first),
    step,
    beforeMs,
    beforeEndMs: Math.min(Math.max(passedMs, beforeMs), at(first)),
    fromMs: at(first),
    toMs,
    starts: step === "hour" ? hoursBetween(at(first), toMs) : startsOf({ first, end, step }, at),
    isRunning,
  };
}

/** The zone of the days of a period: hours are kept for a while, and UTC days forever. */
export function zoneFor(fromMs: number, { nowMs, timeZone }: PeriodReader): string {
  return fromMs < nowMs - hoursKeptMs + 2 * stepMs.day ? "UTC" : timeZone;
}

/**
 * The full UTC hour nearest to midnight: sums are kept by UTC hour, and the midnight of a few zones
 * is between two of them.
 */
export function startOfDay(date: Temporal.PlainDate, timeZone: string): number {
  const atMs = date.toZonedDateTime(timeZone).epochMilliseconds;
  return Math.round(atMs / stepMs.hour) * stepMs.hour;
}

/** The day of a zone that contains a moment, and its start. */
export function dayOf(atMs: number, timeZone: string) {
  const date = dateOf(atMs, timeZone);
  return { date, startMs: startOfDay(date, timeZone) };
}

function dateOf(atMs: number, timeZone: string): Temporal.PlainDate {
  const date = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone)
    .toPlainDate();
  if (startOfDay(date, timeZone) > atMs) return date.subtract({ days: 1 });
  const next = date.add({ days: 1 });
  return startOfDay(next, timeZone) <= atMs ? next : date;
}

function hoursBetween(fromMs: number, toMs: number): readonly [number, ...number[]] {
  const later = Math.max(0, (toMs - fromMs) / stepMs.hour - 1);
  return [fromMs, ...Array.from({ length: later }, (_, at) => fromMs + (at + 1) * stepMs.hour)];
}

function startsOf(
  { first, end, step }: {
    readonly first: Temporal.PlainDate;
    readonly end: Temporal.PlainDate;
    readonly step: "day" | "month";
  },
  at: (date: Temporal.PlainDate) => number,
): readonly [number, ...number[]] {
  const later: number[] = [];
  const next = (date: Temporal.PlainDate) =>
    step === "day" ? date.add({ days: 1 }) : monthOf(date).add({ months: 1 });
  for (let day = next(first); Temporal.PlainDate.compare(day, end) < 0; day = next(day)) {
    later.push(at(day));
  }
  return [at(first), ...later];
}

/** The address of the page at `path` with another period, without what was chosen in the former one. */
export function periodHref(path: string, period: PeriodName): string {
  return withQuery(path, { ...noChoice, period });
}

const noChoice = {
  done: undefined,
  at: undefined,
  period: undefined,
  since: undefined,
  until: undefined,
} as const;

/** The end of a step. */
export function stepEndMs({ starts, toMs }: PeriodSpan, at: number): number {
  return starts[at + 1] ?? toMs;
}

/** The step that `?at=` names, in epoch seconds; undefined for any other text. */
export function readStep(fields: URLSearchParams, { starts }: PeriodSpan): number | undefined {
  const at = starts.indexOf(Number(fields.get("at") ?? NaN) * 1_000);
  return at < 0 ? undefined : at;
}

/** The address of the page at `path` with one step chosen, or none. */
export function stepHref(path: string, startMs: number | undefined): string {
  const at = startMs === undefined ? undefined : String(startMs / 1_000);
  return withQuery(path, { done: undefined, at });
}

/** A day of a time zone. */
interface Day {
  /** Such as `2026-11-21`. */
  readonly text: string;
  readonly startMs: number;
  /** Exclusive. */
  readonly endMs: number;
}

/** Parses a day such as `2026-11-21`; undefined if the text is not one. */
export function readDay(text: string | null | undefined, timeZone: string): Day | undefined {
  const day = readDate(text);
  return day && {
    text: String(day),
    startMs: startOfDay(day, timeZone),
    endMs: startOfDay(day.add({ days: 1 }), timeZone),
  };
}

function readDate(text: string | null | undefined): Temporal.PlainDate | undefined {
  if (!text || !/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return undefined;
  }
}
