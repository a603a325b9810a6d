import { BoundedMap } from "../../bounded_map.ts";
import { stepMs } from "../log/log_time.ts";
import type { RollupStep } from "./rollup_subject.ts";

/** Short, because another isolate may still settle a call of a past hour or day. */
const lifetimeMs = 60_000;
const rangesMax = 2_000;

interface Range {
  readonly readAtMs: number;
  readonly points: readonly unknown[];
}

/**
 * Caches the sums of past hours and days, so that pages do not read weeks of them each time. This
 * isolate's own additions are visible at once.
 */
export class RollupCache {
  readonly #ranges = new BoundedMap<string, Range>(rangesMax);
  #additions = 0;

  /** The end of the steps that may be cached: calls of the last whole step may still be running. */
  endMs(step: RollupStep): number {
    return (Math.floor(Date.now() / stepMs[step]) - 1) * stepMs[step];
  }

  /** Returns the points of a range, cached under `name`. */
  async points<Point>(
    name: string,
    read: () => Promise<readonly Point[]>,
  ): Promise<readonly Point[]> {
    const known = this.#ranges.get(name);
    const readAtMs = Date.now();
    // A name is used for one type of points only.
    if (known && readAtMs < known.readAtMs + lifetimeMs) return known.points as readonly Point[];
    const additions = this.#additions;
    const points = await read();
    if (additions === this.#additions) this.#ranges.set(name, { readAtMs, points });
    return points;
  }

  /** Notes additions, by the start of each; additions to past steps clear the cache. */
  noteAdded(startsMs: readonly number[]): void {
    const endMs = this.endMs("hour");
    if (!startsMs.some((atMs) => atMs < endMs)) return;
    this.#additions++; // a read in progress may lack it
    this.#ranges.clear();
  }
}
