import { noteLogRetention } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { compactRows, forgetBudgets } from "../store/settling/mod.ts";
import { pruneRollups } from "../store/usage/mod.ts";

/** The intervals of compaction, and its error handler. */
interface CompactorOptions {
  /** The delay before rows are compacted, so that later rows join them. */
  readonly rowsIntervalMs?: number;
  /** So many waiting rows are compacted without delay. */
  readonly rowsEnough?: number;
  /** The delay before sums are added to the rollups. */
  readonly rollupsIntervalMs?: number;
  /** Called when compaction fails; it will be retried. */
  readonly onError?: (error: unknown) => void;
}

type Pace = Readonly<Record<"rowsIntervalMs" | "rowsEnough" | "rollupsIntervalMs", number>>;

/** The pace on a local store, whose writes are cheap. */
const localPace: Pace = { rowsIntervalMs: 500, rowsEnough: Infinity, rollupsIntervalMs: 5_000 };
/** On a shared store, each page, index entry and rollup is written for as many calls as possible. */
const sharedPace: Pace = { rowsIntervalMs: 15_000, rowsEnough: 200, rollupsIntervalMs: 60_000 };
const pruneIntervalMs = 3_600_000;

/**
 * Compacts this isolate's settled rows in the background. Correctness does not depend on it: readers
 * of the log compact first, and only find more to do if this runs late.
 */
export class Compactor {
  readonly #isolateIds = new Set<string>();
  readonly #pace: Pace;
  readonly #onError: (error: unknown) => void;
  #rows = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isTicking = false;
  #running: Promise<void> | undefined;
  #rollupsDueAt = 0;
  #pruneDueAt = 0;
  #retentionNoted = false;
  #closed = false;

  constructor(readonly store: Store, { onError, ...pace }: CompactorOptions = {}) {
    this.#pace = { ...(store.sharedByProcesses ? sharedPace : localPace), ...pace };
    this.#onError = onError ?? (() => {});
  }

  /** Schedules compaction of this isolate's new row. */
  arrived(isolateId: string): void {
    this.#isolateIds.add(isolateId);
    this.#rows++;
    if (this.#rows === this.#pace.rowsEnough) this.#hasten();
    this.#start();
  }

  /** Compacts all waiting rows and their sums. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
    await this.#compact(true);
  }

  #start(): void {
    if (this.#timer !== undefined || this.#closed) return;
    const isEnough = this.#rows >= this.#pace.rowsEnough;
    const timer = setTimeout(() => {
      this.#isTicking = true;
      this.#running = this.#tick();
    }, isEnough ? 0 : this.#pace.rowsIntervalMs);
    Deno.unrefTimer(timer);
    this.#timer = timer;
  }

  /** Ends the delay, unless a compaction is running: the next one then starts without delay. */
  #hasten(): void {
    if (this.#isTicking) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #tick(): Promise<void> {
    const rollups = performance.now() >= this.#rollupsDueAt;
    if (rollups) this.#rollupsDueAt = performance.now() + this.#pace.rollupsIntervalMs;
    this.#rows = 0;
    await this.#compact(rollups);
    await this.#prune();
    this.#timer = undefined;
    this.#isTicking = false;
    if (this.#isolateIds.size > 0) this.#start();
  }

  /** Keeps isolates in the set until their sums are in the rollups too. */
  async #compact(rollups: boolean): Promise<void> {
    for (const isolateId of [...this.#isolateIds]) {
      if (rollups) this.#isolateIds.delete(isolateId); // a row that arrives from now on adds it again
      try {
        await this.#noteRetention();
        await compactRows(this.store, { isolateId, rollups });
      } catch (error) {
        this.#isolateIds.add(isolateId);
        this.#onError(error);
      }
    }
  }

  /** Tries every hour; the store admits one isolate a day. */
  async #prune(): Promise<void> {
    if (performance.now() < this.#pruneDueAt) return;
    this.#pruneDueAt = performance.now() + pruneIntervalMs;
    try {
      const nowMs = Date.now();
      const pruned = await pruneRollups(this.store, nowMs);
      if (pruned !== undefined) await forgetBudgets(this.store, nowMs);
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Records the retention before this process's first row can expire. */
  async #noteRetention(): Promise<void> {
    if (this.#retentionNoted) return;
    await noteLogRetention(this.store, Date.now());
    this.#retentionNoted = true;
  }
}
