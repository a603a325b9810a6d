import type { StoreHealth } from "../file/store_health.ts";

/** Ticks of the timer in one deadline. */
const ticksPerDeadline = 16;

interface Pending {
  readonly sinceTick: number;
  readonly end: () => void;
}

/**
 * Bounds the operations of a remote database, whose client retries for ever, with one shared timer.
 * Time is counted in ticks: a pause of this isolate, during which no response can be read, counts
 * as one tick.
 */
export class StoreDeadline {
  readonly #ms: number;
  readonly #health: StoreHealth;
  /** In the order of their start. */
  readonly #pending = new Set<Pending>();
  #tick = 0;
  #answeredTick = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(ms: number, health: StoreHealth) {
    this.#ms = ms;
    this.#health = health;
  }

  /**
   * Rejects with `StoreUnavailable` after the deadline. The outcome of the operation is then
   * unknown: it may still take effect at the server.
   */
  run<Result>(operation: () => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const end = () => reject(this.#health.error("silent"));
    const pending = { sinceTick: this.#tick, end };
    this.#pending.add(pending);
    this.#timer ??= setInterval(() => this.#pass(), this.#ms / ticksPerDeadline);
    operation().then(resolve, reject).finally(() => {
      this.#answeredTick = this.#tick;
      this.#pending.delete(pending);
    });
    return promise;
  }

  #pass(): void {
    this.#tick++;
    for (const pending of this.#pending) {
      if (this.#tick - pending.sinceTick < ticksPerDeadline) break;
      this.#end(pending);
      if (this.#tick - this.#answeredTick >= ticksPerDeadline) this.#endAll();
    }
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The server has answered nothing for the whole deadline. */
  #endAll(): void {
    this.#health.report("silent");
    for (const pending of this.#pending) this.#end(pending);
  }

  #end(pending: Pending): void {
    this.#pending.delete(pending);
    pending.end();
  }
}
