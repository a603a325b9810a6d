/** How long work may go on before everything else gets a turn. */
const turnMs = 8;
/** A read that took longer waited for the network, and everything else had its turn. */
const waitedMs = 1;

/** Gives way to other work of the event loop where one piece of work follows another without a pause. */
export class Pace {
  #since = performance.now();

  /** Call between two pieces of work: undefined, or a promise to wait for. */
  giveWay(): Promise<void> | undefined {
    return performance.now() - this.#since < turnMs ? undefined : this.turn();
  }

  /** The value of a read, after a turn for others where reads have followed one another without a pause. */
  async reading<Value>(read: Promise<Value>): Promise<Value> {
    const startedAt = performance.now();
    const value = await read;
    if (performance.now() - startedAt > waitedMs) this.#since = performance.now();
    else await this.giveWay();
    return value;
  }

  /** Gives way at once: before and after a piece of work that cannot be cut. */
  async turn(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#since = performance.now();
  }
}
