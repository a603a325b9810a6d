/** The lifetimes of a format's breakpoints, shortest first, such as `5m` and `1h`. */
export type Lifetimes<L extends string> = readonly [L, ...L[]];

/** The format's lifetime that replaces the requested one. */
export interface FittedLifetime<L extends string> {
  readonly ttl: L;
  /** True if it is shorter than requested. */
  readonly isShorter: boolean;
}

/** The next longer lifetime, else the longest. An unknown word counts as longer than all. */
export function fittedLifetime<L extends string>(
  ttl: string,
  lifetimes: Lifetimes<L>,
): FittedLifetime<L> {
  const asked = minutesOf(ttl);
  const fitting = lifetimes.find((one) => minutesOf(one) >= asked);
  return { ttl: fitting ?? lifetimes[lifetimes.length - 1], isShorter: fitting === undefined };
}

function minutesOf(ttl: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(ttl) ?? [];
  return count === undefined ? Infinity : Number(count) * minutesPer[unit];
}

const minutesPer: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 };
