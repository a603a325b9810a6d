/** The length of a rolling window, such as `5h`: whole minutes, hours or days. */
export type RollingPeriod = `${number}${Unit}`;
type Unit = keyof typeof unitMs;

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const unitNames = { m: "minute", h: "hour", d: "day" } as const;
const pattern = /^(?:[1-9]\d{0,3}m|[1-9]\d{0,2}h|(?:[1-9]|[1-8]\d|90)d)$/;

/** The texts that `readRollingPeriod` reads: a regular expression without anchors. */
export const rollingPattern: string = pattern.source.slice(1, -1);

/**
 * Reads a length up to `9999m`, `999h` or `90d`; undefined for any other text. Equal lengths have
 * one spelling: `60m` becomes `1h`, `1d` becomes `24h`, and `48h` becomes `2d`.
 */
export function readRollingPeriod(text: string): RollingPeriod | undefined {
  const ms = rollingMs(text);
  if (ms === undefined) return undefined;
  const unit = ms % unitMs.d === 0 && ms > unitMs.d ? "d" : ms % unitMs.h === 0 ? "h" : "m";
  return `${ms / unitMs[unit]}${unit}`;
}

/** The length of a rolling window in milliseconds; undefined for a calendar period. */
export function rollingMs(period: string): number | undefined {
  const read = rollingUnits(period);
  return read && read.count * unitMs[read.letter];
}

/** The count and the unit of a rolling window; undefined for a calendar period. */
export function rollingUnits(period: string) {
  if (!pattern.test(period)) return undefined;
  const letter = period.at(-1) as Unit; // the pattern has no other letters
  return { count: parseInt(period), letter, unit: unitNames[letter] };
}
