import { BoundedMap } from "../../bounded_map.ts";

/**
 * The text length of each step of time. The log index and usage have these steps, always in UTC.
 */
const textLengths = {
  minute: "2026-11-21T08:40".length,
  hour: "2026-11-21T08".length,
  day: "2026-11-21".length,
} as const;
type TimeStep = keyof typeof textLengths;

export const stepMs = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
} as const satisfies Record<TimeStep, number>;

const suffixes = {
  minute: ":00Z",
  hour: ":00:00Z",
  day: "T00:00:00Z",
} as const satisfies Record<TimeStep, string>;

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** The value of each character of the alphabet, by its code. */
const digits = Array.from(
  { length: 128 },
  (_, code) => alphabet.indexOf(String.fromCharCode(code)),
);
const idPattern = new RegExp(`^req_[${alphabet}]{26}$`);
const timeStart = "req_".length;
const timeEnd = timeStart + 10;
const stepsKept = 128;
/** The last moment whose year has four digits. */
const msMax = Date.UTC(10_000, 0) - 1;

/** The texts of recent steps: rows of one commit and readers of sums ask for few of them, often. */
const texts = {
  minute: new BoundedMap<number, string>(stepsKept),
  hour: new BoundedMap<number, string>(stepsKept),
  day: new BoundedMap<number, string>(stepsKept),
} as const satisfies Record<TimeStep, BoundedMap<number, string>>;

/**
 * The step that contains a time, as written in keys: `2026-11-21T08:40`, `2026-11-21T08`,
 * `2026-11-21`.
 */
export function stepOf(atMs: number, step: TimeStep): string {
  const number = Math.floor(atMs / stepMs[step]);
  return texts[step].getOrInsert(
    number,
    () => new Date(atMs).toISOString().slice(0, textLengths[step]),
  );
}

/** Returns the start of a step spelled by `stepOf`. */
export function stepStartMs(text: string, step: TimeStep): number {
  return Date.parse(text + suffixes[step]);
}

/** The day of an hour. */
export function dayOfHour(hour: string): string {
  return hour.slice(0, textLengths.day);
}

/** Returns the start of a call from its id, a ULID. Any other text gives the Unix epoch. */
export function idTimeMs(id: string): number {
  if (!idPattern.test(id)) return 0;
  let atMs = 0;
  for (let at = timeStart; at < timeEnd; at++) atMs = atMs * 32 + digits[id.charCodeAt(at)];
  return atMs <= msMax ? atMs : 0;
}

/** The order of calls in files: latest start first, and by id within a millisecond. */
export function newestFirst(a: { readonly id: string }, b: { readonly id: string }): number {
  const apartMs = idTimeMs(b.id) - idTimeMs(a.id);
  if (apartMs !== 0) return apartMs;
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1;
}
