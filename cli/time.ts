import { CommandError } from "./terminal.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const unitsMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
};
const dayNames: Readonly<Record<string, number>> = {
  yesterday: -1,
  today: 0,
  tomorrow: 1,
};

/** The kind of all times, for the help. Days begin in UTC, as those of the sums of usage do. */
export const timeWords = "a time in UTC";

/**
 * Reads a time as the API takes it: `yesterday`, `today`, `tomorrow`, `now`, a day such as
 * `2026-11-28`, a length such as `1h` before now (after now for a time that is yet to come), or a
 * time in ISO 8601, in UTC unless it names a zone. Throws `CommandError`.
 */
export function timeValue(
  text: string,
  { option, nowMs, isFuture = false }: {
    readonly option: string;
    readonly nowMs: number;
    readonly isFuture?: boolean;
  },
): string {
  const atMs = relativeTime(text, nowMs, isFuture) ??
    Date.parse(withZone(text));
  if (Number.isFinite(atMs)) return new Date(atMs).toISOString();
  const samples = isFuture ? "tomorrow, 30d or 2026-12-31" : "yesterday, 1h or 2026-11-28";
  throw new CommandError(
    "usage",
    `${option} needs ${timeWords}, such as ${samples}`,
  );
}

function relativeTime(
  text: string,
  nowMs: number,
  isFuture: boolean,
): number | undefined {
  if (text === "now") return nowMs;
  if (Object.hasOwn(dayNames, text)) {
    return startOfDay(nowMs) + dayNames[text] * dayMs;
  }
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  return nowMs + (isFuture ? 1 : -1) * Number(count) * unitsMs[unit];
}

function startOfDay(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs;
}

/** An ISO time; NaN's text for anything else that `Date.parse` would guess at. */
function withZone(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text)) return "";
  return /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`;
}

/** A time of an answer as a table shows it, in UTC. */
export function shownTime(text: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(text) ?? [];
  if (day === undefined) return undefined;
  return time === "00:00:00" ? day : `${day} ${time}`;
}
