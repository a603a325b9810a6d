import { addArrivals, type Arrival, arrivalsMax } from "../api_keys/arrival.ts";
import {
  type ConnectionCheck,
  listConnectionChecks,
  watchConnectionChecks,
} from "../api_keys/connection_check.ts";
import type { Store } from "../kv/store.ts";
import type { Watch } from "../kv/watch.ts";

/** Maximum number of checks that an isolate watches at once. */
const checksMax = 500;

/**
 * The open connection checks of all isolates, in memory, and the arrivals that this isolate saw for
 * them. Costs one silent watch; reads and writes nothing while no check is open.
 */
export class OpenChecks {
  readonly #store: Store;
  readonly #watch: Watch;
  readonly #waiting = new Map<string, Arrival[]>();
  #checks: readonly ConnectionCheck[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
    this.#watch = watchConnectionChecks(store, () => void this.#read());
  }

  open(nowMs: number): readonly ConnectionCheck[] {
    if (this.#checks.length === 0) return this.#checks;
    return this.#checks = this.#checks.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  }

  /**
   * Records an arrival for a check; never waits. Drops arrivals that come faster than they can be
   * written.
   */
  note(check: ConnectionCheck, arrival: Arrival): void {
    const id = JSON.stringify([check.accountId, check.keyId]);
    const waiting = this.#waiting.get(id);
    if (waiting && waiting.length >= arrivalsMax) return;
    if (waiting) return void waiting.push(arrival);
    this.#waiting.set(id, [arrival]);
    this.#writing = this.#writing.then(() => this.#write(id, check));
  }

  async close(): Promise<void> {
    await Promise.all([this.#watch.stop(), this.#writing]);
  }

  async #read(): Promise<void> {
    const checks = await listConnectionChecks(this.#store).catch(() => this.#checks);
    this.#checks = checks.toSorted((a, b) => b.expiresAtMs - a.expiresAtMs).slice(0, checksMax);
  }

  /** Drops arrivals that cannot be written: they only inform people. */
  async #write(id: string, check: ConnectionCheck): Promise<void> {
    const arrivals = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    await addArrivals(this.#store, check, arrivals).catch(() => {});
  }
}
