import { BoundedMap } from "../../bounded_map.ts";
import type { Locale } from "../i18n/mod.ts";
import { type PeriodChoice, type PeriodSpan, startOfDay } from "./period.ts";
import type { AccountView } from "./view.ts";

type Words = Pick<AccountView, "catalog" | "locale" | "nowMs">;

/** A period in a heading, such as `14 days`, `yesterday` or `Nov 3 – 9`. */
export function periodWords({ name, since, until }: PeriodChoice, view: Words): string {
  const { catalog: { periods } } = view;
  return name === "range" ? rangeText([since, until], view) : periods.names[name];
}

/** The choice of a period, such as `Last 14 days`. */
export function spanTitle({ name, since, until }: PeriodChoice, view: Words): string {
  const { catalog: { periods } } = view;
  return name === "range" ? rangeText([since, until], view) : periods.titles[name];
}

/** The zone of a period's days, and when they begin if not at midnight. */
export function zoneText(
  { fromMs, timeZone }: PeriodSpan,
  { catalog: { periods } }: Words,
): string {
  const now = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timeZone);
  const startMs = startOfDay(now.toPlainDate(), timeZone);
  const start = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(timeZone);
  return start.minute === 0
    ? periods.zone(timeZone)
    : periods.shifted(timeZone, start.toPlainTime().toString({ smallestUnit: "minute" }));
}

function rangeText(days: readonly (string | undefined)[], { locale, nowMs }: Words): string {
  const [from, to] = days.map((day) => Date.parse(`${day}T00:00:00Z`));
  const isOfYear = days.every((day) => day?.startsWith(String(new Date(nowMs).getUTCFullYear())));
  return rangeFormats.getOrInsert(
    `${locale} ${isOfYear}`,
    () => rangeFormat(locale, isOfYear),
  ).formatRange(from, to);
}

const rangeFormats = new BoundedMap<string, Intl.DateTimeFormat>(10);

function rangeFormat(locale: Locale, isOfYear: boolean): Intl.DateTimeFormat {
  const year = isOfYear ? {} : { year: "numeric" } as const;
  return new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    timeZone: "UTC",
    ...year,
  });
}
