/** Time that work may take before it yields, in milliseconds. */
const turnMs = 8;
/** A read that took longer waited for the network, so other work already had its turn. */
const waitedMs = 1;

/** Yields to the event loop when pieces of work follow each other without a pause. */
export class Pace {
  #since = performance.now();

  /** To be called between two pieces of work. Returns a promise to await, or undefined if the time is not used up. */
  giveWay(): Promise<void> | undefined {
    return performance.now() - this.#since < turnMs ? undefined : this.turn();
  }

  /** Awaits a read, then yields if the turn is used up. A read that had to wait starts a new turn. */
  async reading<Value>(read: Promise<Value>): Promise<Value> {
    const startedAt = performance.now();
    const value = await read;
    await this.afterRead(startedAt);
    return value;
  }

  /** To be called after a read that started at this time. Returns like `giveWay`. */
  afterRead(startedAt: number): Promise<void> | undefined {
    const now = performance.now();
    if (now - startedAt > waitedMs) this.#since = now;
    return now - this.#since < turnMs ? undefined : this.turn();
  }

  /** Computes steps with turns between them. */
  async through<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await this.giveWay();
    }
  }

  /** Yields at once. For use before and after a piece of work that cannot be split. */
  async turn(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#since = performance.now();
  }
}

/** A computation in steps of some milliseconds, between which other work may have its turn. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Computes all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const itemsOfStep = 2_048;

/** `items.map`, in steps. */
export function* mapped<Item, Value>(
  items: readonly Item[],
  valueOf: (item: Item, at: number) => Value,
): Steps<Value[]> {
  const values: Value[] = [];
  for (let at = 0; at < items.length; at++) {
    if (at % itemsOfStep === itemsOfStep - 1) yield;
    values.push(valueOf(items[at], at));
  }
  return values;
}
