import { foldRows, noteLogRetention, pruneRollups, type Store } from "../store/mod.ts";

/** How often rows are folded; what is absent has its default. */
export interface FolderOptions {
  /** How long rows wait for others before they are folded together. */
  readonly rowsIntervalMs?: number;
  /** How long what they add up to waits before it is added to the rollups. */
  readonly rollupsIntervalMs?: number;
  /** Hears why folding failed; what waits is tried again. */
  readonly onError?: (error: unknown) => void;
}

const rowsIntervalMs = 500;
const rollupsIntervalMs = 5_000;
const pruneIntervalMs = 3_600_000;

/**
 * Folds what this isolate leaves waiting, soon after it arrives and never in the way of a call.
 * Nothing depends on it but how much others find to fold: who reads folds first.
 */
export class Folder {
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

  constructor(readonly store: Store, options: FolderOptions = {}) {
    this.#intervalMs = options.rowsIntervalMs ?? rowsIntervalMs;
    this.#rollupsIntervalMs = options.rollupsIntervalMs ?? rollupsIntervalMs;
    this.#onError = options.onError ?? (() => {});
  }

  /** Rows were left waiting under this isolate's id. Costs nothing but a timer. */
  arrived(isolateId: string): void {
    this.#isolateIds.add(isolateId);
    this.#start();
  }

  /** Folds what is waiting, rollups and all. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
    await this.#fold(true);
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
    await this.#fold(rollups);
    await this.#prune();
    this.#timer = undefined;
    if (this.#isolateIds.size > 0) this.#start();
  }

  /** Isolates stay in the set until their rollups are folded too. */
  async #fold(rollups: boolean): Promise<void> {
    for (const isolateId of [...this.#isolateIds]) {
      if (rollups) this.#isolateIds.delete(isolateId); // rows that arrive from here on put it back
      try {
        await this.#noteRetention();
        await foldRows(this.store, { isolateId, rollups });
      } catch (error) {
        this.#isolateIds.add(isolateId);
        this.#onError(error);
      }
    }
  }

  /** Asks every hour; whose turn it is today, prunes. */
  async #prune(): Promise<void> {
    if (performance.now() < this.#pruneDueAt) return;
    this.#pruneDueAt = performance.now() + pruneIntervalMs;
    await pruneRollups(this.store, Date.now()).catch(this.#onError);
  }

  /** Before this process's first row can expire. */
  async #noteRetention(): Promise<void> {
    if (this.#retentionNoted) return;
    await noteLogRetention(this.store, Date.now());
    this.#retentionNoted = true;
  }
}
