import { type StoreFault, storeFaults, StoreUnavailable } from "./store_fault.ts";

/** A change of a store's health. */
export interface StoreChange {
  /** Undefined: it is healthy again. */
  readonly fault?: StoreFault;
  /** Duration of the fault that ended; absent at its start. */
  readonly afterMs?: number;
}

/** Commits of a store on PostgreSQL. */
interface PoolUse {
  readonly running: number;
  /** For a connection. */
  readonly waiting: number;
  /** Since the start, after a conflict with another commit. */
  readonly repeated: number;
}

/** Tracks whether a store can record anything, from its probes and operations. */
export class StoreHealth {
  /**
   * Ended calls that are not recorded yet. While there are some, a probe alone does not prove
   * recovery.
   */
  pending = 0;
  /** The connections of an open store on PostgreSQL. */
  pool?: () => PoolUse;
  #fault?: StoreFault;
  #sinceMs = 0;
  readonly #listeners = new Set<(change: StoreChange) => void>();
  #onCommit = (_durationMs: number) => {};

  /** `where` names the store for the operator: its file or its server. */
  constructor(readonly where: string, readonly now: () => number = Date.now) {}

  get fault(): StoreFault | undefined {
    return this.#fault;
  }

  /** Start of the present fault. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** Reports a fault. A lost or corrupted file stays so, whatever is reported later. */
  report(fault: StoreFault): void {
    if (fault === this.#fault || this.#isLasting()) return;
    if (this.#fault === undefined) this.#sinceMs = this.now();
    this.#fault = fault;
    this.#tell({ fault });
  }

  /**
   * Reports a successful write. While calls wait to be recorded, only their own write proves that
   * there is room.
   */
  recovered(): void {
    if (this.#fault === undefined || this.#isLasting()) return;
    this.#fault = undefined;
    this.#tell({ afterMs: this.now() - this.#sinceMs });
  }

  /** Throws `StoreUnavailable` while the store cannot record anything. */
  assertUsable(): void {
    if (this.#fault !== undefined) throw this.error(this.#fault);
  }

  /** Throws if a write would go into a lost file or further damage a corrupted one. */
  assertWritable(): void {
    if (this.#fault !== undefined && this.#isLasting()) throw this.error(this.#fault);
  }

  /**
   * Waits for a step, but only while the store is healthy, because a step may hang in a disk.
   * Throws `StoreUnavailable` after that, and passes a late result to `undo`.
   */
  async unlessFaulty<Result>(
    step: Promise<Result>,
    undo: (late: Result) => void,
  ): Promise<Result> {
    const { promise: failed, reject } = Promise.withResolvers<never>();
    const stop = this.onChange(({ fault }) => fault !== undefined && reject(this.error(fault)));
    try {
      return await Promise.race([step, failed]);
    } catch (error) {
      void step.then(undo, () => {}); // a failed step needs no undo
      throw error;
    } finally {
      stop();
    }
  }

  error(fault: StoreFault, cause?: unknown): StoreUnavailable {
    return new StoreUnavailable(fault, { where: this.where, cause });
  }

  /** Calls this listener, instead of the one before, with the milliseconds of each commit. */
  onCommit(listener: (durationMs: number) => void): void {
    this.#onCommit = listener;
  }

  /** Reports the milliseconds of a commit. */
  committed(durationMs: number): void {
    this.#onCommit(durationMs);
  }

  /** Calls the listener at each change. Returns a function that stops it. */
  onChange(listener: (change: StoreChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #isLasting(): boolean {
    return this.#fault !== undefined && storeFaults[this.#fault].isLasting;
  }

  #tell(change: StoreChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
