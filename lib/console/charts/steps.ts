import { BoundedMap } from "../../bounded_map.ts";
import type { Locale } from "../i18n/mod.ts";
import type { Formats } from "../page/format.ts";
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

/** Hours in the reader's zone. Marks every third of them. */
export function hourSteps(starts: readonly number[], { formats, href }: StepOptions): ChartStep[] {
  return starts.map((atMs, at) => ({
    name: formats.hour(atMs),
    mark: at % 3 === 0 ? formats.hourOfDay(atMs) : "",
    href: href?.(atMs, atMs + hourMs),
  }));
}

/** UTC days, because days are summed in UTC. The first mark and those of a new month name it. */
export function daySteps(
  starts: readonly number[],
  { locale, href, marksMax = 15 }: StepOptions,
): ChartStep[] {
  const { monthDay, name } = dayFormats.getOrInsert(locale, () => newDayFormats(locale));
  const every = Math.ceil(starts.length / marksMax);
  const isMarked = (at: number) => (starts.length - 1 - at) % every === 0;
  const first = starts.findIndex((_, at) => isMarked(at));
  return starts.map((atMs, at) => {
    const date = new Date(atMs).getUTCDate();
    const mark = at === first || date <= every ? monthDay.format(atMs) : String(date);
    return {
      name: name.format(atMs),
      mark: isMarked(at) ? mark : "",
      href: href?.(atMs, atMs + dayMs),
    };
  });
}

/** Kept by language: creating them takes longer than a chart. */
const dayFormats = new BoundedMap<Locale, ReturnType<typeof newDayFormats>>(10);

function newDayFormats(locale: Locale) {
  const day = { month: "short", day: "numeric", timeZone: "UTC" } as const;
  const monthDay = new Intl.DateTimeFormat(locale, day);
  return { monthDay, name: new Intl.DateTimeFormat(locale, { weekday: "short", ...day }) };
}

/** The log's address for a period and further filters, such as `{ key: "…" }`. */
export function logHref(filter: Readonly<Record<string, string>>) {
  return (fromMs: number, toMs: number): string => {
    const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
    return `/console/log?${new URLSearchParams({ ...filter, from, to })}`;
  };
}
