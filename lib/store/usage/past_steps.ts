import { BoundedMap } from "../kv/bounded_map.ts";
import { stepMs } from "../log/log_time.ts";
import type { RollupStep } from "./rollup_subject.ts";

/** How long they are believed: another isolate may settle a call of a past hour or day late. */
const believedMs = 60_000;
const rangesMax = 2_000;

interface Range {
  readonly readAtMs: number;
  readonly points: readonly unknown[];
}

/**
 * Sums of hours and days that are over, in memory, so that pages need not read weeks of them again
 * and again. What this isolate adds to them is seen at once.
 */
export class PastSteps {
  readonly #ranges = new BoundedMap<string, Range>(rangesMax);
  #additions = 0;

  /** Steps before this moment are over; calls of the last whole step may still be running. */
  endMs(step: RollupStep): number {
    return (Math.floor(Date.now() / stepMs[step]) - 1) * stepMs[step];
  }

  /** The points of a range, which `name` tells from all others; read where they are not known. */
  async points<Point>(
    name: string,
    read: () => Promise<readonly Point[]>,
  ): Promise<readonly Point[]> {
    const known = this.#ranges.get(name);
    const readAtMs = Date.now();
    // The name says what they are, and so what they were read as.
    if (known && readAtMs < known.readAtMs + believedMs) return known.points as readonly Point[];
    const additions = this.#additions;
    const points = await read();
    if (additions === this.#additions) this.#ranges.set(name, { readAtMs, points });
    return points;
  }

  /** To be told of what was added, by when each began. */
  noteAdded(startsMs: readonly number[]): void {
    const endMs = this.endMs("hour");
    if (!startsMs.some((atMs) => atMs < endMs)) return;
    this.#additions++; // what is being read now may lack it
    this.#ranges.clear();
  }
}
