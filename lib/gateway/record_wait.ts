import { startTimer } from "../http/timers.ts";
import { Roster, type RosterMember } from "../roster.ts";
import type { StoreHealth } from "../store/mod.ts";

/** Time for a few more attempts. Longer waits rarely help: a disk fault lasts. */
const knownFaultWaitMs = 250;

/**
 * Bounds the waits of ended calls for their records. Waits `waitMs` for a silent store, for example
 * during its restart, but only briefly for a known fault.
 */
export class RecordWait {
  readonly #health: StoreHealth;
  readonly #waitMs: number;
  readonly #waits = new Roster<Wait>();

  constructor(health: StoreHealth, waitMs: number) {
    this.#health = health;
    this.#waitMs = waitMs;
    health.onChange(() => {
      if (!this.#isFaulty()) return;
      for (const { end } of this.#waits.members()) startTimer(this.#faultyWaitMs(), end);
    });
  }

  /** Resolves to true if a record is stored in time. Rejects if `stored` rejects. */
  isStoredInTime(stored: Promise<unknown>): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const wait: Wait = { position: -1, end: () => resolve(false) };
    const timer = startTimer(this.#isFaulty() ? this.#faultyWaitMs() : this.#waitMs, wait.end);
    const stop = () => {
      timer.cancel();
      this.#waits.delete(wait);
    };
    this.#waits.add(wait);
    stored.finally(stop).then(() => resolve(true), reject);
    return promise;
  }

  #isFaulty(): boolean {
    const { fault } = this.#health;
    return fault !== undefined && fault !== "silent";
  }

  #faultyWaitMs(): number {
    return Math.min(knownFaultWaitMs, this.#waitMs);
  }
}

/** The wait of one call. */
interface Wait extends RosterMember {
  readonly end: () => void;
}
