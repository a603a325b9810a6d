import { BoundedMap } from "../../bounded_map.ts";
import type { Catalog, Locale } from "../i18n/mod.ts";

/** Formats times, spans and counts for one reader. */
export interface Formats {
  /** The reader's time zone, such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** The time of the request. */
  readonly nowMs: number;
  /** Such as `Nov 21, 2026, 08:40:15`. */
  moment(atMs: number): string;
  /** Such as `14:03:22` today, `Nov 13 14:03` this year, else as `moment`. */
  brief(atMs: number): string;
  /** Such as `14:03:22`. */
  clock(atMs: number): string;
  day(atMs: number): string;
  /** Such as `3 minutes ago`: in words up to a week, then as `Nov 13`, with an earlier year. */
  ago(atMs: number): string;
  /** Such as `in 3 hours`, for a future time. */
  ahead(atMs: number): string;
  /** The time in UTC, to compare with a server's log. */
  utc(atMs: number): string;
  count(value: number): string;
  /** Rounded, such as `214.6M`. */
  short(value: number): string;
  /** Such as `640 ms`, `1.62 s` or `12.4 s`. */
  span(ms: number): string;
  /** Such as `93.1%`. All or nothing only if it is exactly that. */
  percent(share: number): string;
  /** A price per unit, which is never rounded to cents. */
  usd(value: number): string;
  /** A whole or nearly whole amount, such as `$5` or `$12.50`. */
  price(nanoUsd: bigint): string;
  /** An amount to read: two decimals from $1 on, four significant digits below. */
  money(nanoUsd: bigint): string;
  /** An amount of a column, whose decimals are fixed: `<$0.01` for less than one can show. */
  columnMoney(nanoUsd: bigint, decimals: number): string;
  /**
   * The exact amount, to the nano-dollar, so that displayed parts add up to their displayed sum.
   */
  exactMoney(nanoUsd: bigint): string;
  /** Like `money`, but signed, for credits and debits. */
  change(nanoUsd: bigint): string;
  /** The same as `Nov 13`, with another year. */
  shortDay(atMs: number): string;
  /** A UTC day, whatever the reader's zone. */
  utcDay(atMs: number): string;
  /** The same as `Nov 13`, with another year. */
  shortUtcDay(atMs: number): string;
  /** The hour that starts then, such as `Nov 21, 08:00`. */
  hour(atMs: number): string;
  /** The number of that hour alone. */
  hourOfDay(atMs: number): string;
  /** A list in the reader's language, such as `Tools, Cache`. */
  list(words: readonly string[]): string;
  /** A name and what it has, such as `Budget: $5`. */
  pair(name: string, text: string): string;
}

interface Reader {
  readonly locale: Locale;
  readonly timeZone: string;
  readonly nowMs: number;
}

export function formatsFor({ locale, timeZone, nowMs }: Reader): Formats {
  const kept = formattersFor(locale, timeZone);
  const { day, moment, hour, relative, number, short, three, percent, usd, utcDay, utcMonthDay } =
    kept;
  return {
    timeZone,
    nowMs,
    moment: (atMs) => moment.format(atMs),
    brief: (atMs) => brief(atMs, nowMs, kept),
    clock: (atMs) => kept.clock.format(atMs),
    day: (atMs) => day.format(atMs),
    ago: (atMs) => ago(nowMs - atMs, relative) ?? shortDay(atMs, nowMs, kept),
    ahead: (atMs) => ahead(atMs - nowMs, relative),
    utc: (atMs) => `${new Date(atMs).toISOString().slice(0, 19).replace("T", " ")} UTC`,
    count: (value) => number.format(value),
    short: (value) => short.format(value),
    span: (ms) => {
      if (Math.round(ms) < 1_000) return `${number.format(Math.round(ms))} ms`;
      const format = ms < 999_500 ? three : number;
      return `${format.format(format === three ? ms / 1_000 : Math.round(ms / 1_000))} s`;
    },
    percent: (share) => percent.format(isPart(share) ? clamp(share) : share),
    usd: (value) => usd.format(value),
    price: moneyFormat({ locale, as: "bare" }),
    money: moneyFormat({ locale, as: "read" }),
    exactMoney: moneyFormat({ locale, as: "exact" }),
    change: moneyFormat({ locale, as: "change" }),
    columnMoney: (nanoUsd, decimals) => columnMoney(nanoUsd, { locale, decimals }),
    shortDay: (atMs) => shortDay(atMs, nowMs, kept),
    utcDay: (atMs) => utcDay.format(atMs),
    shortUtcDay: (atMs) => (isOfYear(atMs, nowMs) ? utcMonthDay : utcDay).format(atMs),
    hour: (atMs) => hour.format(atMs),
    hourOfDay: (atMs) => hourText(atMs, timeZone),
    list: (words) => words.join(locale === "zh-CN" ? "、" : ", "),
    pair: (name, text) => `${name}${locale === "zh-CN" ? "：" : ": "}${text}`,
  };
}

function brief(
  atMs: number,
  nowMs: number,
  { day, year, clock, hour, moment }: ReturnType<typeof newFormatters>,
): string {
  if (day.format(atMs) === day.format(nowMs)) return clock.format(atMs);
  return year.format(atMs) === year.format(nowMs)
    ? hour.format(atMs).replace(", ", " ")
    : moment.format(atMs);
}

function shortDay(
  atMs: number,
  nowMs: number,
  { day, monthDay, year }: ReturnType<typeof newFormatters>,
): string {
  return (year.format(atMs) === year.format(nowMs) ? monthDay : day).format(atMs);
}

function isOfYear(atMs: number, nowMs: number): boolean {
  return new Date(atMs).getUTCFullYear() === new Date(nowMs).getUTCFullYear();
}

function isPart(share: number): boolean {
  return share > 0 && share < 1;
}

/** Keeps a part from rounding to `0%` or `100%`. */
function clamp(share: number): number {
  return Math.min(Math.max(share, 0.001), 0.999);
}

/** Kept by language and time zone: creating them takes longer than many a page. */
const formatters = new BoundedMap<string, ReturnType<typeof newFormatters>>(50);

function formattersFor(locale: Locale, timeZone: string) {
  const name = `${locale} ${timeZone}`;
  const known = formatters.get(name) ?? newFormatters(locale, timeZone);
  formatters.set(name, known);
  return known;
}

function newFormatters(locale: Locale, timeZone: string) {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone });
  const moment = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "medium",
    hourCycle: "h23",
    timeZone,
  });
  const monthDay = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone });
  const year = new Intl.DateTimeFormat(locale, { year: "numeric", timeZone });
  const clock = new Intl.DateTimeFormat(locale, {
    timeStyle: "medium",
    hourCycle: "h23",
    timeZone,
  });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const number = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  const three = new Intl.NumberFormat(locale, {
    minimumSignificantDigits: 3,
    maximumSignificantDigits: 3,
  });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const usd = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    maximumFractionDigits: 6,
  });
  const hour = new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
  const utcMonthDay = new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });
  const utcDay = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  return {
    ...{ day, monthDay, year, clock, moment, hour, utcDay, utcMonthDay, relative },
    ...{ number, short, three, percent, usd },
  };
}

function hourText(atMs: number, timeZone: string): string {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone);
  return String(hour).padStart(2, "0");
}

/** A waiting time in words: seconds up to two minutes, whole minutes beyond. */
export function waitInWords(seconds: number, { units }: Catalog): string {
  return seconds <= 120 ? units.seconds(seconds) : units.minutes(Math.ceil(seconds / 60));
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

/** Digits of a nano-dollar amount after the point. */
const decimalsMax = 9;
const significant = 4;
const dollar = 1_000_000_000n;

/**
 * - `read`: two decimals from $1 on, four significant digits below, and never fewer than two
 *   decimals.
 * - `change`: like `read`, with a sign.
 * - `exact`: all nine decimals, without trailing zeros.
 * - `bare`: exact too, but whole dollars have no decimals.
 * - `column`: the requested number of decimals.
 */
type MoneyStyle = "read" | "change" | "exact" | "bare" | "column";

/** Formats nano-dollars from their decimal text, because a float would lose digits. */
function moneyFormat(
  { locale, as }: { readonly locale: Locale; readonly as: MoneyStyle },
): (nanoUsd: bigint) => string {
  const rounds = as === "read" || as === "change";
  return (nanoUsd) => {
    const size = nanoUsd < 0n ? -nanoUsd : nanoUsd;
    const format = keptFormat(locale, as, rounds ? decimalsOf(size) : decimalsMax);
    return format.format(decimalText(size, nanoUsd < 0n)).replace("-", "−");
  };
}

function columnMoney(
  nanoUsd: bigint,
  { locale, decimals }: { readonly locale: Locale; readonly decimals: number },
): string {
  const format = keptFormat(locale, "column", decimals);
  const least = 10n ** BigInt(decimalsMax - decimals);
  const isNegative = nanoUsd < 0n;
  const size = isNegative ? -nanoUsd : nanoUsd;
  const isLess = size > 0n && size * 2n < least;
  const text = format.format(decimalText(isLess ? least : size, isNegative)).replace("-", "−");
  return isLess ? `${isNegative ? ">" : "<"}${text}` : text;
}

/** The decimals that an amount is read with. */
function decimalsOf(size: bigint): number {
  if (size >= dollar || size === 0n) return 2;
  const zeros = decimalsMax - String(size).length;
  return Math.min(zeros + significant, decimalsMax);
}

function decimalText(size: bigint, negative: boolean) {
  const digits = String(size).padStart(decimalsMax + 1, "0");
  const [whole, rest] = [digits.slice(0, -decimalsMax), digits.slice(-decimalsMax)];
  return `${negative ? "-" : ""}${whole}.${rest}` as `${number}`; // of digits
}

/** Kept by language, style and decimals: each takes longer to create than many amounts to write. */
const formats = new Map<string, Intl.NumberFormat>();

function keptFormat(locale: Locale, as: MoneyStyle, decimals: number): Intl.NumberFormat {
  const name = `${locale} ${as} ${decimals}`;
  const known = formats.get(name) ?? currencyFormat(locale, as, decimals);
  formats.set(name, known);
  return known;
}

function currencyFormat(locale: Locale, as: MoneyStyle, decimals: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    maximumFractionDigits: decimals,
    ...as === "column" && { minimumFractionDigits: decimals },
    signDisplay: as === "change" ? "exceptZero" : "auto",
    trailingZeroDisplay: as === "bare" ? "stripIfInteger" : "auto",
  });
}

/** The name before the `@` of a colleague's address; the whole address of another domain. */
export function shortEmail(email: string, reader: { readonly email: string }): string {
  const domain = /@[^@]*$/.exec(reader.email)?.[0];
  return domain && email.endsWith(domain) ? email.slice(0, -domain.length) : email;
}
