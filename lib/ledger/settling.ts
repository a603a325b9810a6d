import {
  getRequestLog,
  type PackedRow,
  packRow,
  runsOfRows,
  upstreamNanoUsdOf,
} from "../store/log/mod.ts";
import { StoreUnavailable } from "../store/mod.ts";
import { isChosenByCaller } from "../store/money/budget.ts";
import { minuteAt, type Overrun, windowMsOf } from "../store/money/mod.ts";
import { commitSettlement, type Settlement } from "../store/settling/mod.ts";
import { charge, chargedLess, chargesOf, type EndedCall, isOverdrawn, spend } from "./charge.ts";
import type { Lease } from "./leases/lease.ts";
import type { Leasing } from "./leases/leasing.ts";

interface Bill {
  /** The leases that pay, each the amount of its `spending`. */
  readonly paying: Set<Lease>;
  readonly overruns: Overrun[];
}

/** The most rows in one commit. */
export const rowsPerCommitMax = 256;
/** Applies to failures other than a store outage, about five seconds; an outage has no limit. */
const attemptsMax = 10;
const [pauseMs, pauseMsMax] = [20, 1_000];
const sequenceDigits = 12;

/** Makes ended calls durable, many in one commit. Attempts run one at a time within an isolate. */
export class Settling {
  #sequence = 0;
  #isLast = false;

  /**
   * `retire` sweeps this isolate's abandoned records: their commits with unknown outcome fail
   * afterwards.
   */
  constructor(readonly leasing: Leasing, readonly retire: () => Promise<void>) {}

  /** Stops retrying after the next failure, because the process is shutting down. */
  stop(): void {
    this.#isLast = true;
  }

  /**
   * Stores the whole batch, each call exactly once, or throws after several attempts. Waits out a
   * store outage of any length.
   */
  async write(batch: readonly EndedCall[]): Promise<void> {
    let written = 0;
    for (const { length } of runsOfRows(batch.map(packedOf), rowsPerCommitMax)) {
      const run = batch.slice(written, written + length);
      for (const one of runsWithFewLeases(run)) await this.#writeRun(one);
      written += length;
    }
  }

  async #writeRun(run: readonly EndedCall[]): Promise<void> {
    const { health } = this.leasing.store;
    health.pending += run.length;
    try {
      for (let attempt = 1; !await this.#tried(run, attempt); attempt++) {
        await new Promise((resolve) => setTimeout(resolve, pauseAfter(attempt)));
      }
    } finally {
      health.pending -= run.length;
    }
    if (health.pending === 0) health.recovered();
  }

  /** Returns false if the run should be retried. */
  async #tried(run: readonly EndedCall[], attempt: number): Promise<boolean> {
    try {
      while (!await this.leasing.serial.run(() => this.#attempt(run)));
      return true;
    } catch (error) {
      const { health } = this.leasing.store;
      const isAway = error instanceof StoreUnavailable || health.fault !== undefined;
      const ends = !isAway && attempt >= attemptsMax;
      if (ends || this.#isLast) throw error;
      return false;
    }
  }

  /** Returns false if a sweeper had fenced this isolate off: the next attempt registers again. */
  async #attempt(run: readonly EndedCall[]): Promise<boolean> {
    if (!await this.#retired()) return false;
    for (const ended of run) ended.isTried = true;
    try {
      const left = await this.#unsettled(run);
      if (left.length === 0 || await this.#store(left)) return true;
    } catch (error) {
      this.#failed(run);
      throw error;
    }
    this.#failed(run);
    return false;
  }

  /**
   * Returns true once all abandoned records are swept. Until then, an earlier commit with unknown
   * outcome may still succeed, and a second one would charge its calls again.
   */
  async #retired(): Promise<boolean> {
    await this.retire();
    return this.leasing.membership.fenced.length === 0;
  }

  #failed(run: readonly EndedCall[]): void {
    this.leasing.fence(); // the outcome may be unknown: the sweeper settles the abandoned record
    for (const ended of run) applyCorrection(ended);
  }

  /** Returns false if a sweeper has fenced this isolate off. */
  async #store(ended: readonly EndedCall[]): Promise<boolean> {
    const bill: Bill = { paying: new Set(), overruns: [] };
    let stored = false;
    try {
      const { epoch } = this.leasing.membership;
      const charged = await this.#charged(ended, bill);
      if (epoch !== this.leasing.membership.epoch) return false; // fenced off meanwhile
      const entry = await this.leasing.membership.entry();
      const settlement = this.#settlement(charged, bill);
      stored = await commitSettlement(this.leasing.store, entry, settlement) === "stored";
      return stored;
    } finally {
      this.#close(bill.paying, stored);
    }
  }

  /** The calls that neither a sweeper nor an earlier commit has settled; the others adopt their row. */
  async #unsettled(ended: readonly EndedCall[]): Promise<readonly EndedCall[]> {
    const { epoch } = this.leasing.membership;
    if (ended.every((one) => one.epoch === epoch)) return ended;
    const logged = await Promise.all(
      ended.map(({ row, epoch: began }) =>
        began === epoch ? undefined : getRequestLog(this.leasing.store, row.id)
      ),
    );
    for (const [at, row = ended[at].row] of logged.entries()) ended[at].row = row;
    const left = ended.filter((_, at) => logged[at] === undefined);
    for (const one of left) {
      if (one.epoch !== epoch && one.claim && !await one.claim.renew()) setFree(one);
    }
    return left;
  }

  /** The calls with their final charges: the cost, or the part that the leases cover. */
  async #charged(ended: readonly EndedCall[], bill: Bill): Promise<readonly EndedCall[]> {
    const { paying } = bill;
    const excess = ended.map((one) => charge(one, paying));
    for (const lease of paying) if (lease.free < 0n) await this.#cover(lease, bill);
    for (const { shares } of ended) for (const { lease } of shares) lease.tell();
    return [...paying].some(isOverdrawn) ? chargedLess(ended, excess, paying) : ended;
  }

  /** Leases what calls used beyond what the lease holds, as far as available. */
  async #cover(lease: Lease, bill: Bill): Promise<void> {
    const { kind, debtId, endsAtMs = Infinity } = lease;
    if (isCountedWindow(lease) || isChosenByCaller(lease.allowanceId)) {
      return await this.leasing.owe(lease, -lease.free); // must not lower the charge of a wallet
    }
    if (debtId !== undefined) return await this.#owe(lease, bill);
    const isOver = kind === "requests" && this.leasing.now() >= endsAtMs;
    if (!isOver) await this.leasing.cover(lease, -lease.free);
    if (kind === "requests" && lease.free < 0n) spend(bill.paying, lease, lease.free); // beyond the limit
  }

  /** Charges tokens beyond the reservation: to this minute if possible, else to the next ones. */
  async #owe(lease: Lease, { paying, overruns }: Bill): Promise<void> {
    const { debtId: limitId, endsAtMs = 0 } = lease;
    if (limitId === undefined) return;
    const nowMs = this.leasing.now();
    if (nowMs < endsAtMs) await this.leasing.cover(lease, -lease.free);
    const tokens = -lease.free;
    if (tokens <= 0n) return;
    spend(paying, lease, -tokens);
    overruns.push({ limitId, minute: minuteAt(nowMs), tokens });
  }

  #settlement(ended: readonly EndedCall[], { paying, overruns }: Bill): Settlement {
    const { isMetered } = this.leasing.store;
    const spent = new Map<string, bigint>();
    const held = new Map<string, bigint>();
    for (const lease of paying) {
      const { kind, allowanceId, held: before, spending } = lease;
      const isKept = kind === "money" || isCountedWindow(lease);
      if (isKept) spent.set(allowanceId, spending);
      // If this isolate dies, its lease must not return what was used. A minute's requests are not
      // worth a billed write.
      if (isKept || kind !== "requests" || !isMetered) held.set(allowanceId, before - spending);
    }
    return {
      sequence: String(this.#sequence++).padStart(sequenceDigits, "0"),
      rows: ended.map(packedOf),
      spent,
      held,
      charges: chargesOf(ended),
      overruns,
      ended,
    };
  }

  #close(paying: Set<Lease>, stored: boolean): void {
    for (const lease of paying) {
      if (stored) {
        lease.held -= lease.spending;
        lease.noteSpent(this.leasing.now());
      }
      lease.spending = 0n;
      this.leasing.allowances.settled(lease);
    }
  }
}

/** The most mutations of leases and charges in one commit, of 1,000 in all. */
const mutationsMax = 900;
/** A lease is set, its spending is added up, and it may be overrun. */
const mutationsPerLease = 3;

/** The calls in runs whose leases fit into one commit: each may have several of its own. */
function* runsWithFewLeases(calls: readonly EndedCall[]): Generator<readonly EndedCall[]> {
  const most = calls.reduce((sum, call) => sum + ownMutations(call) + leaseMutations(call), 0);
  if (most <= mutationsMax) return yield calls;
  let start = 0;
  let own = 0;
  for (let leases = new Set<Lease>(), at = 0; at < calls.length; at++) {
    for (const { lease } of calls[at].shares) leases.add(lease);
    own += ownMutations(calls[at]);
    const mutations = leases.size * mutationsPerLease + own;
    if (mutations <= mutationsMax || at === start) continue;
    yield calls.slice(start, at);
    start = at;
    own = ownMutations(calls[at]);
    leases = new Set(calls[at].shares.map(({ lease }) => lease));
  }
  yield calls.slice(start);
}

function leaseMutations({ shares }: EndedCall): number {
  return shares.length * mutationsPerLease;
}

/** The charge of a call, its cost, and its idempotency key. */
function ownMutations({ claim }: EndedCall): number {
  return claim ? 3 : 2;
}

/** Requests or tokens in any time of a length: what calls use beyond them, later calls pay. */
function isCountedWindow({ kind, limit }: Lease): boolean {
  return kind !== "money" && windowMsOf(limit) !== undefined;
}

/** Another call with its idempotency key is charged; what it cost the operator stays. */
function setFree(ended: EndedCall): void {
  const { usage: _, costLines: __, ...row } = ended.row;
  const upstreamCost = { nanoUsd: upstreamNanoUsdOf(ended.row) };
  Object.assign(ended, {
    row: { ...row, costNanoUsd: 0n, upstreamCost },
    costNanoUsd: 0n,
    tokens: 0n,
  });
}

function applyCorrection(ended: EndedCall): void {
  ended.isTried = false;
  Object.assign(ended, ended.corrected);
  ended.corrected = undefined;
}

/** Packs a row once, unless it changes. */
function packedOf(ended: EndedCall): PackedRow {
  const { row, packed } = ended;
  if (packed?.of === row) return packed.row;
  const now = packRow(row);
  ended.packed = { of: row, row: now };
  return now;
}

function pauseAfter(attempt: number): number {
  return Math.min(pauseMs * 2 ** attempt, pauseMsMax);
}
