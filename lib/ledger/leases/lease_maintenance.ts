import { Roster } from "../../roster.ts";
import type { InFlight } from "../../store/isolates/mod.ts";
import type { RequestLogRow } from "../../store/log/mod.ts";
import { dropLeases } from "../../store/money/mod.ts";
import { chargedRow, type Flight, type Hold } from "../hold.ts";
import type { Lease } from "./lease.ts";
import type { Leasing } from "./leasing.ts";
import { HeartbeatMonitor, sweepIsolate, sweepSilent } from "./sweep.ts";

const roundMs = 2_000;
/** A heartbeat leaves out younger calls, so that short ones cost no commit. */
const recordedAfterMs = 1_000;
/** A lease unused for so long is given back; other isolates may recall it earlier. */
const idleMs = 60_000;
/** Limits the leases that one round gives back, so that heartbeats are not delayed. */
const giveBacksPerRound = 200;
/** The longest wait on close for calls that are being settled. */
const lastSettlementsMs = 500;
/** Rounds between heartbeats of an isolate without calls, and between sweeps. */
const roundsPerSweep = 5;

/**
 * An isolate's background work: heartbeats with the calls in flight, giving back unused leases, and
 * sweeping dead isolates.
 */
export class LeaseMaintenance {
  readonly #leasing: Leasing;
  readonly #flights = new Roster<Flight>();
  readonly #signs = new HeartbeatMonitor();
  readonly #timer: ReturnType<typeof setInterval>;
  #rounds = 0;
  #running: Promise<void> | undefined;
  #landed?: () => void;

  constructor(leasing: Leasing, onError: (error: unknown) => void = () => {}) {
    this.#leasing = leasing;
    this.#timer = setInterval(() => {
      this.#running ??= this.#round()
        .catch(onError) // the store is unavailable: the next round retries
        .finally(() => this.#running = undefined);
    }, roundMs);
    Deno.unrefTimer(this.#timer);
  }

  /** The number of calls in flight, and of ended ones that are not recorded yet. */
  get flightCount(): number {
    return this.#flights.size;
  }

  /** Watching a call again replaces its row, and keeps its age. */
  watch(hold: Hold, row: Flight["row"]): void {
    if (hold.flight) return void (hold.flight.row = row);
    hold.flight = { position: -1, hold, row, sinceMs: performance.now() };
    this.#flights.add(hold.flight);
  }

  forget(hold: Hold): void {
    if (hold.flight) this.#flights.delete(hold.flight);
    if (this.#flights.size === 0) this.#landed?.();
  }

  /** Gives all leases back, after the calls that have just ended are settled. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    await this.#allLanded();
    const { allowances, membership, serial } = this.#leasing;
    await serial.run(async () => {
      const areCallsLeft = this.#flights.size > 0;
      if (areCallsLeft) await membership.beat(this.#snapshots());
      for (const lease of allowances.leases()) {
        if (areCallsLeft && lease.kind === "money") continue; // pays for them; the sweep returns the rest
        await this.#leasing.giveBackFreeAlone(lease);
      }
      membership.fence(); // the sweep settles the calls just recorded
      await this.#sweepFenced([]);
    });
  }

  /**
   * Sweeps the fenced records of this isolate, after recording its calls in flight under its new
   * record. If a sweeper has fenced off the new one too, they stay until the next call. Must run
   * inside `serial`.
   */
  async retire(): Promise<void> {
    const { membership } = this.#leasing;
    if (membership.fenced.length === 0) return;
    const flights = this.#snapshots();
    if (flights.length > 0 && !await membership.beat(flights)) return this.#leasing.fence();
    await this.#sweepFenced(flights);
  }

  /** Waits briefly for calls still being counted; the last heartbeat records the others. */
  async #allLanded(): Promise<void> {
    if (this.#flights.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#landed = resolve;
    const timer = setTimeout(resolve, lastSettlementsMs);
    await promise;
    clearTimeout(timer);
  }

  async #round(): Promise<void> {
    const { store, serial } = this.#leasing;
    const seldom = ++this.#rounds % roundsPerSweep === 0;
    await this.#tidy();
    await serial.run(() => this.#beat(seldom));
    if (seldom && store.sharedByProcesses) await sweepSilent(store, this.#signs, performance.now());
  }

  /** Writes a heartbeat. A store of one process needs it only to record calls in flight. */
  async #beat(seldom: boolean): Promise<void> {
    const { store, allowances, membership } = this.#leasing;
    await this.retire();
    const flights = this.#snapshots(recordedAfterMs);
    const busy = flights.length > 0 || membership.hasFlights;
    if (membership.id === undefined && !busy) return;
    if (this.#flights.size === 0 && !busy && allowances.isEmpty) {
      membership.leave();
      return await this.#sweepFenced([]);
    }
    if (!busy && !(seldom && store.sharedByProcesses)) return;
    if (!await membership.beat(flights)) this.#leasing.fence();
  }

  /**
   * Marks rolling budgets, gives back unused leases and drops ended windows, in steps between which
   * calls settle.
   */
  async #tidy(): Promise<void> {
    const { allowances, serial } = this.#leasing;
    const nextRoundMs = this.#leasing.now() + roundMs;
    for (const lease of allowances.leases()) {
      if (lease.isMarkDue(nextRoundMs)) await this.#leasing.mark(lease);
    }
    const unused = [...allowances.leases()].filter((lease) => this.#isUnused(lease));
    const isWindow = (lease: Lease) => lease.kind !== "money" && this.#isOver(lease);
    const ended = unused.filter(isWindow);
    for (const lease of ended) allowances.drop(lease);
    if (ended.length > 0) await serial.run(() => this.#drop(ended));
    const unneeded = unused.filter((lease) => !isWindow(lease));
    for (const lease of unneeded.slice(0, giveBacksPerRound)) {
      await this.#leasing.giveBackFree(lease);
      if (lease.idle && lease.held === 0n) allowances.drop(lease);
    }
  }

  #isUnused(lease: Lease): boolean {
    return lease.idle &&
      (this.#isOver(lease) || this.#leasing.now() - lease.usedAtMs >= idleMs);
  }

  #isOver({ endsAtMs }: Lease): boolean {
    return endsAtMs !== undefined && endsAtMs < this.#leasing.now();
  }

  async #drop(leases: readonly Lease[]): Promise<void> {
    const { store, membership } = this.#leasing;
    const ids = leases.map(({ allowanceId }) => allowanceId);
    if (membership.id !== undefined) await dropLeases(store, membership.id, ids);
  }

  async #sweepFenced(flights: readonly InFlight[]): Promise<void> {
    const { store, membership: { fenced } } = this.#leasing;
    const alive = new Set(flights.map(({ row }) => row.id));
    for (let [id] = fenced; id !== undefined; [id] = fenced) {
      await sweepIsolate(store, id, alive);
      fenced.splice(fenced.indexOf(id), 1);
    }
  }

  /** The calls in flight that are at least this old. */
  #snapshots(ageMs = 0): InFlight[] {
    const snapshots: InFlight[] = [];
    const latestMs = performance.now() - ageMs;
    for (const { hold, row, sinceMs } of this.#flights.members()) {
      if (sinceMs > latestMs) continue;
      const current = row();
      if (current) snapshots.push(snapshotOf(hold, current));
    }
    return snapshots;
  }
}

function snapshotOf(hold: Hold, row: RequestLogRow): InFlight {
  const money = hold.shares.filter(({ lease }) => lease.kind === "money");
  return {
    row: chargedRow(row, hold).row,
    moneyIds: money.map(({ lease }) => lease.allowanceId),
  };
}
