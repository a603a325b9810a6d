/** A source of numbers that are the same in every run. */
export interface Random {
  /** A number from 0 to below 1. */
  readonly next: () => number;
  /** A whole number from 0 to below `end`. */
  readonly below: (end: number) => number;
  readonly pick: <T>(among: readonly T[]) => T;
  /** Small numbers come often, large ones seldom: each tenfold range is as likely as the next. */
  readonly between: (least: number, most: number) => number;
}

/** The generator mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    pick: (among) => among[below(among.length)],
    between: (least, most) => Math.round(least * (most / least) ** next()),
  };
}
