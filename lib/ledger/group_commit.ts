/** Timers are this imprecise: a shorter wait is not worth one. */
const waitMsMin = 0.3;

/** The least time from the start of a commit to that of the next one. */
interface Pace {
  readonly ms: number;
  /** True if it also applies after a commit of one item. */
  readonly isStrict?: boolean;
  /** Returns true if the waiting items should be committed now; called with every `add`. */
  readonly isEnough?: () => boolean;
}

/**
 * Batches many small writes into few commits. A commit starts at once if none is running; items
 * that arrive during a commit share the next one and its promise. An idle store adds no delay: only
 * the commit after a shared one waits for the pace, or after any one if the pace is strict. The wait
 * ends early once the batch is full or `isEnough` returns true.
 */
export class GroupCommit<T> {
  readonly #write: (items: readonly T[]) => Promise<void>;
  readonly #itemsMax: number;
  readonly #pace: Pace;
  #waiting: Batch<T>[] = [];
  #running = false;
  /** The earliest start of the next commit. */
  #dueAt = 0;
  /** Ends the current wait for the pace; absent if there is none. */
  #endWait?: () => void;

  /**
   * `write` stores all items or throws; it never gets more than `itemsMax` at once. While busy,
   * commits start at that pace, because a few larger ones cost less than many small ones.
   */
  constructor(
    write: (items: readonly T[]) => Promise<void>,
    itemsMax: number,
    pace: Pace = { ms: 0 },
  ) {
    this.#write = write;
    this.#itemsMax = itemsMax;
    this.#pace = pace;
  }

  /** Resolves once the item is stored; rejects when its commit failed. */
  add(item: T): Promise<void> {
    const batch = this.#openBatch();
    batch.items.push(item);
    if (!this.#running) void this.#run();
    else if (this.#endWait && this.#isEnough(batch)) this.#endWait();
    return batch.promise;
  }

  #openBatch(): Batch<T> {
    const last = this.#waiting.at(-1);
    if (last && last.items.length < this.#itemsMax) return last;
    const batch = { items: [], ...Promise.withResolvers<void>() };
    this.#waiting.push(batch);
    return batch;
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let next: Batch<T> | undefined; (next = this.#waiting[0]);) {
      const waitMs = this.#dueAt - performance.now();
      if (waitMs > waitMsMin && !this.#isEnough(next)) await this.#wait(waitMs);
      this.#waiting.shift();
      await this.#commit(next);
    }
    this.#running = false;
  }

  #isEnough({ items }: Batch<T>): boolean {
    return items.length >= this.#itemsMax || (this.#pace.isEnough?.() ?? false);
  }

  async #wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#endWait = resolve;
    await promise;
    this.#endWait = undefined;
    clearTimeout(timer);
  }

  async #commit({ items, resolve, reject }: Batch<T>): Promise<void> {
    const { ms, isStrict = false } = this.#pace;
    if (isStrict || items.length > 1) this.#dueAt = performance.now() + ms;
    try {
      await this.#write(items);
      resolve();
    } catch (error) {
      reject(error);
    }
  }
}

interface Batch<T> {
  readonly items: T[];
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
