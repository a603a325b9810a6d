import { BoundedMap } from "../../bounded_map.ts";
import type { Locale } from "../i18n/mod.ts";
import type { Formats } from "../page/format.ts";
import { type PeriodSpan, stepEndMs } from "../page/period.ts";
import type { ChartStep } from "./chart.ts";

interface StepOptions {
  readonly locale: Locale;
  readonly formats: Formats;
  /** The most steps that have a mark; fewer in small charts. */
  readonly marksMax?: number;
  /** The page about the calls of a step. */
  readonly href?: (fromMs: number, toMs: number) => string;
}

const [hourMs, dayMs] = [3_600_000, 86_400_000];

/** The steps of a period: hours, days or months of its zone. */
export function periodSteps(span: PeriodSpan, options: StepOptions): ChartStep[] {
  const { step, starts, timeZone } = span;
  const ends = starts.map((_, at) => stepEndMs(span, at));
  return step === "hour"
    ? hourSteps(starts, options)
    : step === "day"
    ? daySteps(starts, options, { timeZone, ends })
    : monthSteps(starts, options, { timeZone, ends });
}

/** Hours in the reader's zone. Marks every third of them. */
export function hourSteps(starts: readonly number[], { formats, href }: StepOptions): ChartStep[] {
  return starts.map((atMs, at) => ({
    name: formats.hour(atMs),
    mark: at % 3 === 0 ? formats.hourOfDay(atMs) : "",
    href: href?.(atMs, atMs + hourMs),
  }));
}

interface Days {
  readonly timeZone: string;
  readonly ends: readonly number[];
}

/** Days of a zone, or of UTC. The first mark and those of a new month name it. */
export function daySteps(
  starts: readonly number[],
  { locale, href, marksMax = 15 }: StepOptions,
  { timeZone, ends }: Days = { timeZone: "UTC", ends: starts.map((atMs) => atMs + dayMs) },
): ChartStep[] {
  const { monthDay, day, name } = formatsOf(locale, timeZone);
  const every = Math.ceil(starts.length / marksMax);
  const isMarked = (at: number) => (starts.length - 1 - at) % every === 0;
  const first = starts.findIndex((_, at) => isMarked(at));
  return starts.map((startMs, at) => {
    const atMs = startMs + hourMs; // a day may begin half an hour before midnight
    const date = Number(day.format(atMs).replace(/\D/g, ""));
    const mark = at === first || date <= every ? monthDay.format(atMs) : String(date);
    return {
      name: name.format(atMs),
      mark: isMarked(at) ? mark : "",
      href: href?.(startMs, ends[at]),
    };
  });
}

function monthSteps(
  starts: readonly number[],
  { locale, href }: StepOptions,
  { timeZone, ends }: Days,
): ChartStep[] {
  const { month, longMonth } = formatsOf(locale, timeZone);
  return starts.map((startMs, at) => ({
    name: longMonth.format(startMs + hourMs),
    mark: month.format(startMs + hourMs),
    href: href?.(startMs, ends[at]),
  }));
}

/** Kept by language and zone: creating them takes longer than a chart. */
const dayFormats = new BoundedMap<string, ReturnType<typeof newDayFormats>>(20);

function formatsOf(locale: Locale, timeZone: string) {
  return dayFormats.getOrInsert(`${locale} ${timeZone}`, () => newDayFormats(locale, timeZone));
}

function newDayFormats(locale: Locale, timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone });
  const monthDay = { month: "short", day: "numeric" } as const;
  return {
    monthDay: format(monthDay),
    day: format({ day: "numeric" }),
    name: format({ weekday: "short", ...monthDay }),
    month: format({ month: "short" }),
    longMonth: format({ month: "long", year: "numeric" }),
  };
}

/** The log's address for the calls of a period, or of one of its steps. */
export function callsHref(
  span: PeriodSpan,
  step: number | undefined,
  filter: Readonly<Record<string, string>>,
): string {
  const [fromMs, toMs] = step === undefined
    ? [span.fromMs, span.toMs]
    : [span.starts[step], stepEndMs(span, step)];
  return logHref(filter)(fromMs, toMs);
}

/** The log's address for a period and further filters, such as `{ key: "…" }`. */
export function logHref(filter: Readonly<Record<string, string>>) {
  return (fromMs: number, toMs: number): string => {
    const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
    return `/console/log?${new URLSearchParams({ ...filter, from, to })}`;
  };
}
