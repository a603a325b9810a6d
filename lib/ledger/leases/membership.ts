import {
  beat,
  type InFlight,
  type Isolate,
  type IsolateEntry,
  newId,
  registerIsolate,
  type Store,
} from "../../store/mod.ts";

/**
 * This isolate's record in the store, which every commit of money checks. It is there only while
 * the isolate holds leases or calls; without a heart-beat, others take the isolate for dead.
 */
export class Membership {
  #isolate?: Isolate;
  #entry?: IsolateEntry;
  #chunks: readonly string[] = [];
  #joining?: Promise<IsolateEntry>;

  /** Records that this isolate gave up and that are still to be swept. */
  readonly lost: string[] = [];
  /** How many records it gave up: a call that began under an earlier one may have been settled by its sweeper. */
  losses = 0;

  constructor(readonly store: Store, readonly now: () => number) {}

  /** Whether the last sign of life told of calls in flight. */
  get hasFlights(): boolean {
    return this.#chunks.length > 0;
  }

  /** The record, made where there is none. */
  async entry(): Promise<IsolateEntry> {
    if (this.#entry) return this.#entry;
    this.#joining ??= this.#join().finally(() => this.#joining = undefined);
    return this.#entry = await this.#joining;
  }

  /** Undefined while there is no record. */
  get id(): string | undefined {
    return this.#entry?.id;
  }

  /** Gives the record up: the next step joins anew, under another id. */
  lose(): void {
    if (!this.#entry) return;
    this.losses++;
    this.lost.push(this.#entry.id);
    this.#entry = undefined;
    this.#chunks = [];
  }

  /** A sign of life. False where the isolate was swept. */
  async beat(flights: readonly InFlight[]): Promise<boolean> {
    if (!this.#isolate || !this.#entry) return true;
    const isolate = { ...this.#isolate, heartbeatAtMs: this.now() };
    const written = await beat(this.store, this.#entry, { isolate, flights, chunks: this.#chunks });
    if (!written) return false;
    this.#entry = written.entry;
    this.#chunks = written.chunks;
    return true;
  }

  #join(): Promise<IsolateEntry> {
    this.#isolate = {
      id: newId("iso"),
      runId: this.store.runId,
      heartbeatAtMs: this.now(),
    };
    return registerIsolate(this.store, this.#isolate);
  }
}
