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

  /** Resolves to a record that is stored in time. Rejects if it is late, or like `stored`. */
  storedInTime<Record>(stored: Promise<Record>, { seen, late }: Waiting<Record>): Promise<Record> {
    const { promise, resolve, reject } = Promise.withResolvers<Record>();
    const end = () => {
      if (wait.position < 0) return; // ended before
      over();
      reject(late());
    };
    const wait: Wait = { position: -1, end };
    const timer = startTimer(this.#isFaulty() ? this.#faultyWaitMs() : this.#waitMs, end);
    this.#waits.add(wait);
    const over = () => {
      timer.cancel();
      this.#waits.delete(wait);
    };
    stored.then((record) => {
      over();
      seen(record);
      resolve(record);
    }, (cause) => {
      over();
      reject(cause);
    });
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

interface Waiting<Record> {
  /** Called once the record is stored, even if it is late. */
  readonly seen: (record: Record) => void;
  readonly late: () => Error;
}

interface Wait extends RosterMember {
  readonly end: () => void;
}
