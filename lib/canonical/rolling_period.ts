/** The length of a rolling window, such as `5h`: whole minutes, hours or days. */
export type RollingPeriod = `${number}${Unit}`;
type Unit = keyof typeof unitMs;

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const unitNames = { m: "minute", h: "hour", d: "day" } as const;
const lengthMsMax = 90 * unitMs.d;
const pattern = /^([1-9]\d{0,5})([mhd])$/;

/** The same pattern as source, for schemas; lengths above 90 days match, but are refused. */
export const rollingPattern: string = pattern.source;

/**
 * Reads a length from `1m` to `90d`; undefined for any other text. Equal lengths have one spelling:
 * `60m` becomes `1h`, `1d` becomes `24h`, and `48h` becomes `2d`.
 */
export function readRollingPeriod(text: string): RollingPeriod | undefined {
  const ms = rollingMs(text);
  if (ms === undefined || ms > lengthMsMax) return undefined;
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
  const [, count, letter] = pattern.exec(period) ?? [];
  if (letter === undefined) return undefined;
  const unit = letter as Unit; // the pattern has no other letters
  return { count: Number(count), letter: unit, unit: unitNames[unit] };
}
