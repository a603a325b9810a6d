import type { Catalog, Locale } from "../i18n/mod.ts";

/** Formats times, spans and counts for one reader. */
export interface Formats {
  /** Such as `Nov 21, 2026, 08:40:15`. */
  moment(atMs: number): string;
  day(atMs: number): string;
  /** Such as `3 minutes ago`: in words up to a week, then as a date. */
  ago(atMs: number): string;
  /** Such as `in 3 hours`, for a future time. */
  ahead(atMs: number): string;
  /** The time in UTC, to compare with a server's log. */
  utc(atMs: number): string;
  count(value: number): string;
  /** Rounded, such as `1.2M`. */
  short(value: number): string;
  /** Such as `0.42 s` or `38 ms`. */
  span(ms: number): string;
  usd(value: number): string;
  /** A whole or nearly whole amount, such as `$5` or `$12.50`. */
  price(nanoUsd: bigint): string;
  /** Formats nano-dollars with two to six decimals, or with all nine for smaller amounts. */
  money(nanoUsd: bigint): string;
  /**
   * The exact amount, to the nano-dollar, so that displayed parts add up to their displayed sum.
   */
  exactMoney(nanoUsd: bigint): string;
  /** Like `money`, but signed, for credits and debits. */
  change(nanoUsd: bigint): string;
  /** A UTC day, whatever the reader's zone. */
  utcDay(atMs: number): string;
  /** The hour that starts then, such as `Nov 21, 08:00`. */
  hour(atMs: number): string;
  /** The number of that hour alone. */
  hourOfDay(atMs: number): string;
  /** A list in the reader's language, such as `Tools, Cache`. */
  list(words: readonly string[]): string;
}

interface Reader {
  readonly locale: Locale;
  readonly timeZone: string;
  readonly nowMs: number;
}

export function formatsFor({ locale, timeZone, nowMs }: Reader): Formats {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone });
  const moment = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "medium",
    hourCycle: "h23",
    timeZone,
  });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const number = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { notation: "compact" });
  const exact = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const usd = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    maximumFractionDigits: 6,
  });
  const utcDay = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  return {
    moment: (atMs) => moment.format(atMs),
    day: (atMs) => day.format(atMs),
    ago: (atMs) => ago(nowMs - atMs, relative) ?? day.format(atMs),
    ahead: (atMs) => ahead(atMs - nowMs, relative),
    utc: (atMs) => `${new Date(atMs).toISOString().slice(0, 19).replace("T", " ")} UTC`,
    count: (value) => number.format(value),
    short: (value) => short.format(value),
    span: (ms) =>
      ms < 1_000 ? `${number.format(Math.round(ms))} ms` : `${exact.format(ms / 1_000)} s`,
    usd: (value) => usd.format(value),
    price: moneyFormat({ locale, bare: true }),
    money: moneyFormat({ locale }),
    exactMoney: moneyFormat({ locale, exact: true }),
    change: moneyFormat({ locale, signed: true }),
    utcDay: (atMs) => utcDay.format(atMs),
    hour: (atMs) => hourFormat({ locale, timeZone }).format(atMs),
    hourOfDay: (atMs) => hourText(atMs, timeZone),
    list: (words) => words.join(locale === "zh-CN" ? "、" : ", "),
  };
}

/** Created on demand, because few pages show hours. */
function hourFormat({ locale, timeZone }: Pick<Reader, "locale" | "timeZone">) {
  return new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
}

function hourText(atMs: number, timeZone: string): string {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone);
  return String(hour).padStart(2, "0");
}

/** A waiting time in words: seconds up to two minutes, whole minutes beyond. */
export function waitInWords(seconds: number, { units }: Catalog): string {
  return seconds <= 120 ? units.seconds(seconds) : units.minutes(Math.ceil(seconds / 60));
}

/** The smallest amount that six decimals show, in nano-dollars. */
const nanoShownMin = 1_000n;

interface MoneyOptions {
  readonly locale: Locale;
  /** Adds a plus sign to positive amounts. */
  readonly signed?: boolean;
  /** All nine decimals, without trailing zeros. */
  readonly exact?: boolean;
  /** True to omit the decimals of whole dollars. */
  readonly bare?: boolean;
}

/** Formats the decimal text, because a float would lose digits. */
function moneyFormat(
  { locale, signed, bare, exact: whole }: MoneyOptions,
): (nanoUsd: bigint) => string {
  const formatWith = (maximumFractionDigits: number) =>
    new Intl.NumberFormat(locale, {
      style: "currency",
      currency: "USD",
      currencyDisplay: "narrowSymbol",
      maximumFractionDigits,
      signDisplay: signed ? "exceptZero" : "auto",
      trailingZeroDisplay: bare ? "stripIfInteger" : "auto",
    });
  const [usual, exact] = [formatWith(6), formatWith(9)];
  return (nanoUsd) => {
    const size = nanoUsd < 0n ? -nanoUsd : nanoUsd;
    const digits = String(size).padStart(10, "0");
    const sign = nanoUsd < 0n ? "-" : "";
    const decimal = `${sign}${digits.slice(0, -9)}.${digits.slice(-9)}` as `${number}`; // of digits
    return (whole || size < nanoShownMin ? exact : usual).format(decimal).replace("-", "−");
  };
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

function ahead(leftMs: number, relative: Intl.RelativeTimeFormat): string {
  const left = Math.max(0, leftMs);
  if (left < hourMs) return relative.format(Math.ceil(left / minuteMs), "minute");
  if (left < 2 * dayMs) return relative.format(Math.round(left / hourMs), "hour");
  return relative.format(Math.round(left / dayMs), "day");
}

function ago(passedMs: number, relative: Intl.RelativeTimeFormat): string | undefined {
  const passed = Math.max(0, passedMs);
  if (passed < minuteMs) return relative.format(-Math.floor(passed / 1_000), "second");
  if (passed < hourMs) return relative.format(-Math.floor(passed / minuteMs), "minute");
  if (passed < dayMs) return relative.format(-Math.floor(passed / hourMs), "hour");
  if (passed < 7 * dayMs) return relative.format(-Math.floor(passed / dayMs), "day");
  return undefined;
}
