import { noteLogRetention } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { compactRows } from "../store/settling/mod.ts";
import { pruneRollups } from "../store/usage/mod.ts";

/** The intervals of compaction, and its error handler. */
interface CompactorOptions {
  /** The delay before rows are compacted, so that later rows join them. */
  readonly rowsIntervalMs?: number;
  /** The delay before sums are added to the rollups. */
  readonly rollupsIntervalMs?: number;
  /** Called when compaction fails; it will be retried. */
  readonly onError?: (error: unknown) => void;
}

const rowsIntervalMs = 500;
const rollupsIntervalMs = 5_000;
const pruneIntervalMs = 3_600_000;

/**
 * Compacts this isolate's settled rows in the background. Correctness does not depend on it: readers
 * of the log compact first, and only find more to do if this runs late.
 */
export class Compactor {
  readonly #isolateIds = new Set<string>();
  readonly #intervalMs: number;
  readonly #rollupsIntervalMs: number;
  readonly #onError: (error: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #rollupsDueAt = 0;
  #pruneDueAt = 0;
  #retentionNoted = false;
  #closed = false;

  constructor(readonly store: Store, options: CompactorOptions = {}) {
    this.#intervalMs = options.rowsIntervalMs ?? rowsIntervalMs;
    this.#rollupsIntervalMs = options.rollupsIntervalMs ?? rollupsIntervalMs;
    this.#onError = options.onError ?? (() => {});
  }

  /** Schedules compaction of this isolate's new rows. */
  arrived(isolateId: string): void {
    this.#isolateIds.add(isolateId);
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
    const timer = setTimeout(() => {
      this.#running = this.#tick();
    }, this.#intervalMs);
    Deno.unrefTimer(timer);
    this.#timer = timer;
  }

  async #tick(): Promise<void> {
    const rollups = performance.now() >= this.#rollupsDueAt;
    if (rollups) this.#rollupsDueAt = performance.now() + this.#rollupsIntervalMs;
    await this.#compact(rollups);
    await this.#prune();
    this.#timer = undefined;
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
    await pruneRollups(this.store, Date.now()).catch(this.#onError);
  }

  /** Records the retention before this process's first row can expire. */
  async #noteRetention(): Promise<void> {
    if (this.#retentionNoted) return;
    await noteLogRetention(this.store, Date.now());
    this.#retentionNoted = true;
  }
}
