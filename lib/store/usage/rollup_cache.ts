import { BoundedMap } from "../../bounded_map.ts";
import { stepMs } from "../log/log_time.ts";
import type { RollupStep, RollupSubject } from "./rollup_subject.ts";

/** Short, because another isolate may still settle a call of a past hour or day, or of a new subject. */
const lifetimeMs = 60_000;
const rangesMax = 2_000;
const listsMax = 500;

/** Values that were read from the rollups a short while ago, until this isolate adds to them. */
class ReadCache<Value> {
  readonly #reads: BoundedMap<string, { readonly readAtMs: number; readonly value: Value }>;
  #additions = 0;

  constructor(max: number) {
    this.#reads = new BoundedMap(max);
  }

  peek(name: string): Value | undefined {
    return this.#reads.get(name)?.value;
  }

  async get(name: string, read: () => Promise<Value>): Promise<Value> {
    const known = this.#reads.get(name);
    const readAtMs = Date.now();
    if (known && readAtMs < known.readAtMs + lifetimeMs) return known.value;
    const additions = this.#additions;
    const value = await read();
    if (additions === this.#additions) this.#reads.set(name, { readAtMs, value });
    return value;
  }

  /** Notes an addition, which a read in progress may lack. */
  noteAdded(isSeen: boolean): void {
    this.#additions++;
    if (isSeen) this.#reads.clear();
  }
}

/**
 * Caches the sums of past hours and days, so that pages do not read weeks of them each time. This
 * isolate's own additions are visible at once.
 */
export class RollupCache {
  readonly #ranges = new ReadCache<readonly unknown[]>(rangesMax);

  /** The end of the steps that may be cached: calls of the last whole step may still be running. */
  endMs(step: RollupStep): number {
    return (Math.floor(Date.now() / stepMs[step]) - 1) * stepMs[step];
  }

  /** Returns the points of a range, cached under `name`. */
  async points<Point>(
    name: string,
    read: () => Promise<readonly Point[]>,
  ): Promise<readonly Point[]> {
    return await this.#ranges.get(name, read) as readonly Point[]; // a name is used for one type of points only
  }

  /** Notes additions, by the start of each; additions to past steps clear the cache. */
  noteAdded(startsMs: readonly number[]): void {
    const endMs = this.endMs("hour");
    if (startsMs.some((atMs) => atMs < endMs)) this.#ranges.noteAdded(true);
  }
}

/**
 * Caches which subjects of a dimension ever had calls, so that pages need not search for them each
 * time. Subjects whose first call this isolate adds are visible at once.
 */
export class SubjectCache {
  readonly #lists = new ReadCache<ReadonlySet<string>>(listsMax);

  /** Returns the values of a dimension and scope. */
  values(
    subjects: Pick<RollupSubject, "dimension" | "scope">,
    read: () => Promise<readonly string[]>,
  ): Promise<Iterable<string>> {
    return this.#lists.get(nameOf(subjects), async () => new Set(await read()));
  }

  /** Notes the subjects of additions; a new subject clears the cache. */
  noteAdded(subjects: readonly RollupSubject[]): void {
    const isNew = (subject: RollupSubject) =>
      this.#lists.peek(nameOf(subject))?.has(subject.value) === false;
    this.#lists.noteAdded(subjects.some(isNew));
  }
}

function nameOf({ dimension, scope }: Pick<RollupSubject, "dimension" | "scope">): string {
  return `${dimension} ${scope}`;
}
