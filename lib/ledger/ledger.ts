import type { Caller } from "../accounts/authorize.ts";
import { totalInputTokens, totalOutputTokens, type Usage } from "../canonical/mod.ts";
import { Roster } from "../roster.ts";
import { Serial } from "../serial.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { release } from "./allowances.ts";
import { type RecentTokens, RecentUse } from "./answer_length.ts";
import type { EndedCall, EndedUsage } from "./charge.ts";
import { Compactor } from "./compactor.ts";
import { GroupCommit } from "./group_commit.ts";
import { chargedRow, type CostEstimate, type Hold, holdOf } from "./hold.ts";
import { LeaseMaintenance } from "./leases/lease_maintenance.ts";
import { Leasing } from "./leases/leasing.ts";
import { Membership } from "./leases/membership.ts";
import { sweepDead } from "./leases/sweep.ts";
import { type LimitRequest, limitRequestsOf } from "./limit_requests.ts";
import { rowsPerCommitMax, Settling } from "./settling.ts";

/** The settings and dependencies of an isolate's ledger. */
interface LedgerOptions {
  /** IANA name of the zone of budgets that name none. */
  readonly timeZone: string;
  /** The longest wait for money that other calls or isolates may give back. */
  readonly moneyWaitMs: number;
  readonly now: () => number;
  /** Receives failures of background work, which is retried. */
  readonly onError?: (error: unknown) => void;
}

/** The time from one commit to the next while busy: a third of the CPU time of commits back to back. */
const commitPace = { ms: 4 } as const;
/**
 * So many ended calls, if they are two thirds of the calls in flight, are committed before the pace.
 * Commits of fewer calls would take more CPU time than the shorter wait is worth.
 */
const earlyCommitMin = 4;
/** Where each write is billed, more calls share a commit: their leases and charges are written once. */
const meteredPace = { ms: 25, isStrict: true } as const;

/**
 * Turns usage into money, for one isolate: reserves what a call may cost, charges what it did cost
 * in one commit with its row, and releases the rest.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #leasing: Leasing;
  readonly #settling: Settling;
  readonly #commit: GroupCommit<EndedCall>;
  /** Ended calls that are not recorded yet. */
  readonly #waiting = new Roster<EndedCall>();
  /** Those of them that are still among the calls in flight: not calls refused before they were sent. */
  #endedInFlight = 0;
  readonly #recent = new RecentUse();
  readonly #compactor: Compactor;
  readonly #maintenance: LeaseMaintenance;
  readonly #recalls: { stop(): Promise<void> };

  /** Settles the calls of dead isolates first: their charges count before new calls start. */
  static async open(store: Store, options: LedgerOptions): Promise<Ledger> {
    await sweepDead(store, options.now());
    return new Ledger(store, options);
  }

  private constructor(store: Store, options: LedgerOptions) {
    const membership = new Membership(store, options.now);
    const leasing = new Leasing(store, membership, new Serial(), options.now);
    this.#settling = new Settling(leasing, () => this.#maintenance.retire());
    this.#options = options;
    this.#leasing = leasing;
    this.#commit = new GroupCommit(
      (batch) => this.#settling.write(batch),
      rowsPerCommitMax,
      store.isMetered ? meteredPace : { ...commitPace, isEnough: () => this.#isCommitDue },
    );
    this.#compactor = new Compactor(store, { onError: options.onError });
    this.#maintenance = new LeaseMaintenance(leasing, options.onError);
    this.#recalls = leasing.listen();
  }

  /** The usage of recent calls with this key and model; undefined if there were none. */
  recentTokens(caller: Caller, model: string): RecentTokens | undefined {
    return this.#recent.of(recentUseKey(caller, model));
  }

  /**
   * Reserves what a call may use of every limit that binds its caller; synchronously in the steady
   * state. Throws `insufficient_quota`, `rate_limit_exceeded`, or `client_closed` if the caller
   * disconnected while it waited; then nothing is reserved.
   */
  reserve(estimate: CostEstimate, signal?: AbortSignal): Hold | Promise<Hold> {
    const { epoch } = this.#leasing.membership;
    const shares = this.#leasing.allowances.reserve(this.#requestsOf(estimate), signal);
    if (!(shares instanceof Promise)) return holdOf(estimate, shares, epoch);
    return this.#leasing.store.health.unlessFaulty(shares, release)
      .then((reserved) => holdOf(estimate, reserved, epoch));
  }

  /**
   * Reserves what a call may use, if every limit on money has room for `plentyCalls` such calls; else
   * undefined, and nothing is reserved. For an estimate that may be several times too high.
   */
  reserveIfPlenty(estimate: CostEstimate): Hold | undefined {
    const shares = this.#leasing.allowances.reserveIfPlenty(this.#requestsOf(estimate));
    return shares && holdOf(estimate, shares, this.#leasing.membership.epoch);
  }

  /** True if enough ended calls, and two for each call in progress, wait for a commit. */
  get #isCommitDue(): boolean {
    const inProgress = this.#maintenance.flightCount - this.#endedInFlight;
    return this.#endedInFlight >= Math.max(earlyCommitMin, 2 * inProgress);
  }

  #requestsOf(
    { caller, boundNanoUsd, enoughNanoUsd, leastNanoUsd, tokens }: CostEstimate,
  ): LimitRequest[] {
    const { timeZone, moneyWaitMs, now } = this.#options;
    return limitRequestsOf(
      caller,
      { nanoUsd: boundNanoUsd, enoughNanoUsd, leastNanoUsd, tokens: BigInt(tokens) },
      { nowMs: now(), timeZone, moneyWaitMs },
    );
  }

  /** Releases the reservations of a call that is not sent. */
  release(hold: Hold): void {
    release(hold.shares);
  }

  /**
   * Frees a call's concurrency slot after its caller disconnected and its upstream request was
   * aborted. Call it before counting and storing the usage, which may take a second. The slot goes
   * back to the store, because an isolate busy with counting does not hear recalls. Never rejects.
   */
  async vacate({ shares }: Hold): Promise<void> {
    const places = shares.filter(({ lease }) => lease.kind === "concurrency");
    release(places);
    await Promise.all(places.map(({ lease }) => this.#leasing.allowances.giveBackFree(lease)))
      .catch(this.#options.onError ?? (() => {})); // a sweep frees the slot later
  }

  /**
   * Lets the heartbeat store a call in flight, with what it has delivered so far, until it settles.
   * The last `row` counts.
   */
  watch(hold: Hold, row: () => RequestLogRow | undefined): void {
    this.#maintenance.watch(hold, row);
  }

  /**
   * Makes a call's row and charge durable; resolves with the charged row, and waits out a store
   * outage of any length. Without a hold the call is free. A second row of a call that is still
   * waiting replaces the first.
   */
  settle(row: RequestLogRow, hold?: Hold): Promise<RequestLogRow> {
    const used = usedOf(row, hold);
    const waiting = this.#waitingFor(row, hold);
    if (waiting?.stored) {
      if (waiting.isTried) waiting.corrected = used;
      else Object.assign(waiting, used);
      return waiting.stored;
    }
    if (hold && row.usage) this.#note(hold.estimate, row.usage);
    const { costNanoUsd, tokens } = used;
    const { shares = [], epoch = this.#leasing.membership.epoch } = hold ?? {};
    const ended: EndedCall = {
      row: used.row,
      costNanoUsd,
      tokens,
      shares,
      epoch,
      claim: hold?.claim,
      position: -1,
      stored: undefined,
      isTried: false,
      corrected: undefined,
      packed: undefined,
    };
    this.#waiting.add(ended);
    if (hold) hold.ended = ended;
    return ended.stored = this.#record(ended, hold);
  }

  /** The call if it has ended, and is not recorded yet. */
  #waitingFor({ id }: RequestLogRow, hold?: Hold): EndedCall | undefined {
    const known = hold ? hold.ended : this.#waiting.members().find((ended) => ended.row.id === id);
    return known && known.position >= 0 ? known : undefined;
  }

  /** Settles waiting calls with one more attempt each, and gives all leases back. */
  async close(): Promise<void> {
    await this.#recalls.stop();
    this.#settling.stop();
    await Promise.allSettled(this.#waiting.members().map(({ stored }) => stored));
    await this.#maintenance.close();
    await this.#compactor.close();
  }

  async #record(ended: EndedCall, hold?: Hold): Promise<RequestLogRow> {
    const isInFlight = hold?.flight !== undefined && hold.flight.position >= 0;
    const inFlight = isInFlight ? 1 : 0;
    this.#endedInFlight += inFlight;
    try {
      await this.#commit.add(ended);
    } finally {
      this.#endedInFlight -= inFlight;
      this.#waiting.delete(ended);
      if (hold) this.#end(hold);
    }
    const isolateId = this.#leasing.membership.id;
    if (isolateId !== undefined) this.#compactor.arrived(isolateId);
    return ended.row;
  }

  #end(hold: Hold): void {
    this.#maintenance.forget(hold);
    release(hold.shares);
  }

  #note({ caller, model }: CostEstimate, usage: Usage): void {
    const outputTokens = totalOutputTokens(usage);
    const tokens = totalInputTokens(usage) + outputTokens;
    this.#recent.note(recentUseKey(caller, model), { tokens, outputTokens });
  }
}

function usedOf(row: RequestLogRow, hold?: Hold): EndedUsage {
  const charged = hold ? chargedRow(row, hold) : { row, nanoUsd: 0n };
  const tokens = row.usage ? totalInputTokens(row.usage) + totalOutputTokens(row.usage) : 0;
  return { row: charged.row, costNanoUsd: charged.nanoUsd, tokens: BigInt(tokens) };
}

function recentUseKey({ key }: Caller, model: string): string {
  return `${key.id} ${model}`;
}
