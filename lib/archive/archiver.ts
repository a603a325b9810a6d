import type { LogArchiveSettings } from "../config.ts";
import type { Store } from "../store/mod.ts";
import { reasonOf, type Report } from "../telemetry/log.ts";
import { archiveLog } from "./archive_log.ts";
import { type ArchivePlace, openPlace } from "./place.ts";

interface LogArchive {
  readonly place: ArchivePlace;
  /** The end of the last run without an error, in milliseconds; the start until there is one. */
  readonly succeededMs: () => number;
  /** Stops archiving after its current step. */
  readonly close: () => Promise<void>;
}

const firstRunMs = 5_000;
const intervalMs = 15 * 60_000;
/** The longest wait for a step at a stop; the next start continues where it ends. */
const closeWaitMs = 2_000;

/** Archives the log in the background. */
export function startArchive(
  store: Store,
  settings: LogArchiveSettings,
  report: Report,
): LogArchive {
  const place = openPlace(settings.place);
  const archiver = new Archiver(store, place, { keepDays: settings.keepDays, report });
  return { place, succeededMs: () => archiver.succeededMs, close: () => archiver.close() };
}

/** Runs `archiveLog` after the start and at every interval. */
class Archiver {
  readonly #stopping = new AbortController();
  #timer: ReturnType<typeof setTimeout>;
  #running: Promise<void> | undefined;
  #succeededMs = Date.now();

  constructor(
    readonly store: Store,
    readonly place: ArchivePlace,
    readonly options: { readonly keepDays: number; readonly report: Report },
  ) {
    this.#timer = this.#runIn(firstRunMs);
  }

  get succeededMs(): number {
    return this.#succeededMs;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    const { promise: waited, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeWaitMs);
    await Promise.race([this.#running, waited]);
    clearTimeout(timer);
  }

  #runIn(ms: number): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.#running = this.#run().then(() => {
        this.#running = undefined;
        if (!this.#stopping.signal.aborted) this.#timer = this.#runIn(intervalMs);
      });
    }, ms);
    Deno.unrefTimer(timer);
    return timer;
  }

  async #run(): Promise<void> {
    const { store, place, options: { keepDays, report } } = this;
    const { signal } = this.#stopping;
    try {
      const run = await archiveLog({ store, place, keepDays, nowMs: Date.now(), signal });
      this.#succeededMs = Date.now();
      if (run && run.rows > 0) report("info", "Archived past days of the log", { ...run });
    } catch (error) {
      if (signal.aborted) return;
      report("error", "Cannot archive the log; its rows stay in the store", {
        reason: reasonOf(error),
      });
    }
  }
}
