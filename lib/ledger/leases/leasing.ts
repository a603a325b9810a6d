import type { LimitKind } from "../../canonical/mod.ts";
import type { Serial } from "../../serial.ts";
import type { Store } from "../../store/mod.ts";
import {
  leasedOf,
  type LeaseResult,
  markSpending,
  minuteAt,
  recallLeases,
  returnLease,
  takeLease,
  tokenDebt,
  watchRecalls,
  windowMsOf,
} from "../../store/money/mod.ts";
import { Allowances, type LeaseStore } from "../allowances.ts";
import type { Lease } from "./lease.ts";
import type { Membership } from "./membership.ts";

const dayMs = 86_400_000;

/** The retention of an allowance in the store after its period. */
const keptMs = {
  money: 400 * dayMs,
  tokens: 120_000,
  requests: 120_000,
  concurrency: dayMs,
} as const satisfies Record<LimitKind, number>;

/** The store's side of this isolate's leases. */
export class Leasing implements LeaseStore {
  readonly allowances: Allowances;

  constructor(
    readonly store: Store,
    readonly membership: Membership,
    readonly serial: Serial,
    readonly now: () => number,
  ) {
    this.allowances = new Allowances(this);
  }

  take(lease: Lease, needed: bigint, slice: (free: bigint) => bigint): Promise<LeaseResult> {
    return this.serial.run(() => this.takeAlone(lease, needed, slice));
  }

  /** Like `take`, for callers that already run inside `serial`. */
  async takeAlone(
    lease: Lease,
    needed: bigint,
    slice: (free: bigint) => bigint,
    isOwed = false,
  ): Promise<LeaseResult> {
    const { allowanceId, limit, held } = lease;
    const expiry = this.#expiry(lease);
    const { now } = this;
    const debt = this.#debt(lease);
    const wanted = { allowanceId, limit, needed, slice, held, now, isOwed, ...expiry, ...debt };
    const entry = await this.membership.entry();
    lease.unmarkedSinceMs = undefined; // marked now; what is spent meanwhile needs another mark
    const result = await this.#known(takeLease(this.store, entry, wanted));
    if (result.type === "swept") this.fence();
    else lease.unleased = result.free;
    if (result.type === "insufficient") lease.roomAtMs = result.roomAtMs;
    if (result.type === "leased") lease.addSlice(result.amount, now());
    else lease.slice = 0n;
    return result;
  }

  /** Leases the missing amount, or as much of it as is free. */
  async cover(lease: Lease, missing: bigint): Promise<void> {
    await this.takeAlone(lease, 0n, () => missing);
  }

  /** Leases an amount that was used already, also beyond the limit. */
  async owe(lease: Lease, amount: bigint): Promise<void> {
    await this.takeAlone(lease, amount, () => amount, true);
  }

  giveBackFree(lease: Lease): Promise<void> {
    return this.serial.run(() => this.giveBackFreeAlone(lease));
  }

  /** Like `giveBackFree`, for callers that already run inside `serial`. */
  async giveBackFreeAlone(lease: Lease): Promise<void> {
    if (lease.free <= 0n) return await this.mark(lease);
    const entry = await this.membership.entry();
    const amount = lease.free;
    if (amount <= 0n) return;
    const { allowanceId, limit, held } = lease;
    const returned = { allowanceId, limit, held, amount, now: this.now, ...this.#expiry(lease) };
    lease.held -= amount; // at once, so that no call reserves it while it goes back
    lease.unmarkedSinceMs = undefined;
    const stored = await this.#known(returnLease(this.store, entry, returned));
    if (!stored) this.fence();
    else if (lease.unleased !== undefined) lease.unleased += amount;
  }

  /**
   * Marks what a rolling budget has spent, so that it leaves the window in time. Remains due if the
   * store fails.
   */
  async mark(lease: Lease): Promise<void> {
    const { allowanceId, limit, unmarkedSinceMs } = lease;
    const windowMs = windowMsOf(limit);
    if (windowMs === undefined || unmarkedSinceMs === undefined) return;
    lease.unmarkedSinceMs = undefined; // later spending needs another mark
    try {
      await markSpending(this.store, { allowanceId, windowMs, now: this.now });
    } catch (error) {
      lease.unmarkedSinceMs = unmarkedSinceMs;
      throw error;
    }
  }

  async heldElsewhere(allowanceId: string): Promise<bigint> {
    const own = (await this.membership.entry()).id;
    let held = 0n;
    for (const [isolateId, amount] of await leasedOf(this.store, allowanceId)) {
      if (isolateId !== own) held += amount;
    }
    return held;
  }

  recall(allowanceId: string): Promise<void> {
    return recallLeases(this.store, allowanceId, this.membership.id ?? "");
  }

  /** Handles recalls by other isolates. Of two that wait for each other, the lower id wins. */
  listen(): { stop(): Promise<void> } {
    return watchRecalls(this.store, ({ allowanceId, isolateId }) => {
      const own = this.membership.id;
      if (own === undefined || own === isolateId) return;
      void this.allowances.recalled(allowanceId, isolateId < own).catch(() => {});
    });
  }

  /** Fences this isolate off after a failed commit: a sweep settles the unknown outcome. */
  async #known<Result>(step: Promise<Result>): Promise<Result> {
    try {
      return await step;
    } catch (error) {
      this.fence();
      throw error;
    }
  }

  /** Abandons this isolate's record and its leases: a sweep gives them back. */
  fence(): void {
    this.membership.fence();
    this.allowances.forgetAll();
  }

  /** The overrun of earlier minutes, which a new minute has to pay first. */
  #debt({ debtId, limit, endsAtMs }: Lease): { owes?: () => Promise<bigint> } {
    if (debtId === undefined || endsAtMs === undefined || limit.type !== "amount") return {};
    const at = { minute: minuteAt(endsAtMs - 1), perMinute: limit.amount };
    return { owes: () => tokenDebt(this.store, debtId, at) };
  }

  #expiry({ endsAtMs, kind }: Lease): { expiresInMs?: number } {
    return endsAtMs === undefined ? {} : { expiresInMs: endsAtMs - this.now() + keptMs[kind] };
  }
}
