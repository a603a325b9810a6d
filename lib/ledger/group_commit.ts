/**
 * Batches many small writes into few commits. A commit starts at once if none is running; items
 * that arrive during a commit share the next one. There are no timers, so an idle store adds no
 * delay.
 */
export class GroupCommit<T> {
  readonly #write: (items: readonly T[]) => Promise<void>;
  readonly #itemsMax: number;
  #waiting: Waiting<T>[] = [];
  #running = false;

  /** `write` stores all items or throws; it never gets more than `itemsMax` at once. */
  constructor(write: (items: readonly T[]) => Promise<void>, itemsMax: number) {
    this.#write = write;
    this.#itemsMax = itemsMax;
  }

  /** Resolves once the item is stored; rejects when its commit failed. */
  add(item: T): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ item, resolve, reject });
    if (!this.#running) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, this.#itemsMax));
    this.#running = false;
  }

  async #commit(batch: readonly Waiting<T>[]): Promise<void> {
    try {
      await this.#write(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

interface Waiting<T> {
  readonly item: T;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
