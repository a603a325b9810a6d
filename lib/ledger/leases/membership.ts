import {
  type InFlight,
  type Isolate,
  type IsolateEntry,
  registerIsolate,
  storeHeartbeat,
} from "../../store/isolates/mod.ts";
import { newId, type Store } from "../../store/mod.ts";

/**
 * This isolate's record in the store, which every commit of money checks. It exists only while the
 * isolate holds leases or calls; without heartbeats, other isolates sweep it as dead.
 */
export class Membership {
  #isolate?: Isolate;
  #entry?: IsolateEntry;
  #chunks: readonly string[] = [];
  #joining?: Promise<IsolateEntry>;

  /** Ids of this isolate's former records that still have to be swept. */
  readonly fenced: string[] = [];
  /** Grows with each fence. A call of an earlier epoch may have been settled by a sweeper. */
  epoch = 0;

  constructor(readonly store: Store, readonly now: () => number) {}

  /** True if the last heartbeat recorded calls in flight. */
  get hasFlights(): boolean {
    return this.#chunks.length > 0;
  }

  /** The record; registers one if there is none. */
  async entry(): Promise<IsolateEntry> {
    if (this.#entry) return this.#entry;
    this.#joining ??= this.#join().finally(() => this.#joining = undefined);
    return this.#entry = await this.#joining;
  }

  /** Undefined while there is no record. */
  get id(): string | undefined {
    return this.#entry?.id;
  }

  /** Abandons the record and starts a new epoch: the next step registers another id. */
  fence(): void {
    if (this.#entry) this.epoch++;
    this.leave();
  }

  /** Abandons the record of an isolate that has neither leases nor recorded calls: no sweeper can settle its calls. */
  leave(): void {
    if (!this.#entry) return;
    this.fenced.push(this.#entry.id);
    this.#entry = undefined;
    this.#chunks = [];
  }

  /**
   * Writes a heartbeat, and registers an isolate with calls in flight. Returns false if a sweeper
   * has fenced it off.
   */
  async beat(flights: readonly InFlight[]): Promise<boolean> {
    if (flights.length > 0) await this.entry();
    if (!this.#isolate || !this.#entry) return true;
    const isolate = { ...this.#isolate, heartbeatAtMs: this.now() };
    const written = await storeHeartbeat(this.store, this.#entry, {
      isolate,
      flights,
      chunks: this.#chunks,
    });
    if (!written) return false;
    this.#entry = written.entry;
    this.#chunks = written.chunks;
    return true;
  }

  #join(): Promise<IsolateEntry> {
    const isolate = this.#isolate = {
      id: newId("iso"),
      runId: this.store.runId,
      heartbeatAtMs: this.now(),
    };
    return registerIsolate(this.store, isolate).catch((error) => {
      this.fenced.push(isolate.id); // it may be stored although the store did not answer
      throw error;
    });
  }
}
