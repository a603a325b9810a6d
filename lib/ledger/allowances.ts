import { callerLeft, type LimitKind } from "../canonical/mod.ts";
import type { LeaseResult } from "../store/money/mod.ts";
import type { CurrentLimit } from "./current_limits.ts";
import { isSameLimit, Lease, spareOf, unlessLeft } from "./leases/lease.ts";
import { comesBack, limitRefusal, type LimitRequest, type NeededAmount } from "./limit_requests.ts";
import { maxAmount, minAmount } from "./price.ts";

/** The store operations behind one isolate's leases. Steps run one at a time within an isolate. */
export interface LeaseStore {
  take(lease: Lease, needed: bigint, slice: (free: bigint) => bigint): Promise<LeaseResult>;
  /** Gives back what is free once earlier steps are done, such as a refill. */
  giveBackFree(lease: Lease): Promise<void>;
  /** The amount that other isolates hold of the allowance. */
  heldElsewhere(allowanceId: string): Promise<bigint>;
  recall(allowanceId: string): Promise<void>;
  readonly now: () => number;
}

/** A part of a lease that is set aside for one call. */
export interface Share {
  readonly lease: Lease;
  readonly limit: CurrentLimit;
  /** 0 once the call has settled. */
  reserved: bigint;
  /** The requests that the call counts as, from its first attempt to settle on. */
  requests?: bigint;
}

const scarceMs = 5_000;
/** The time that a used-up limit is cached: short for money, so that a payment counts at once. */
const usedUpMs = {
  money: 25,
  tokens: 250,
  requests: 250,
  concurrency: 250,
} as const satisfies Record<LimitKind, number>;
const waitMsMin = 2;
const waitMsMax = 100;
/** The calls that a limit must have room for if one of them reserves more than its estimate. */
const plentyCalls = 16n;
/** A reservation by length is rarely more than this many times the estimate (`sizeByLength`). */
const timesEstimateMax = 4n;
/** A slice is at most a quarter of what is free. */
const sharePerSlice = 4n;

/** The leases of this isolate, and the calls that spend from them. */
export class Allowances {
  readonly #leases = new Map<string, Lease>();

  constructor(readonly store: LeaseStore) {}

  leases(): IterableIterator<Lease> {
    return this.#leases.values();
  }

  get isEmpty(): boolean {
    return this.#leases.size === 0;
  }

  /**
   * Reserves a call's share of every allowance that binds it: at once if the leases hold enough,
   * else after leasing more or waiting for other isolates to give back. Throws the refusal of the
   * request that cannot be met, and then reserves nothing. Stops waiting when `caller` aborts.
   */
  reserve(
    requests: readonly LimitRequest[],
    caller?: AbortSignal,
  ): readonly Share[] | Promise<readonly Share[]> {
    const shares = this.#fittingShares(requests);
    return shares ? this.#takeAll(shares) : this.#reserveInTurn(requests, caller);
  }

  /**
   * The same at once, if the leases hold enough and every limit on money has room for 16 such calls;
   * else undefined, and nothing is reserved. If only a lease has too little, leases more in the
   * background for later calls.
   */
  reserveIfPlenty(requests: readonly LimitRequest[]): readonly Share[] | undefined {
    const shares = this.#fittingShares(requests);
    if (!shares) {
      this.#leaseAhead(requests);
      return undefined;
    }
    return shares.every((share, at) => this.#hasPlenty(share, requests[at].needed))
      ? this.#takeAll(shares)
      : undefined;
  }

  /** Refills the leases of money that pay for the estimate of a call, but not for its reservation. */
  #leaseAhead(requests: readonly LimitRequest[]): void {
    for (const { current, needed: { amount } } of requests) {
      const lease = this.#leaseOf(current);
      const isCurrent = lease.kind === "money" && isSameLimit(lease.limit, current.limit);
      if (isCurrent && isBarelyShort(lease, amount)) this.#refill(lease, amount);
    }
  }

  /** The shares that the leases hold already, not yet set aside; undefined if one is missing. */
  #fittingShares(requests: readonly LimitRequest[]): readonly Share[] | undefined {
    const shares = requests.map((request) => this.#fittingShare(request));
    return areComplete(shares) ? shares : undefined;
  }

  /** True if the limit has room for many reservations of this amount, as far as this isolate knows. */
  #hasPlenty({ lease, reserved }: Share, { amount }: NeededAmount): boolean {
    if (lease.kind !== "money") return true;
    return reserved === amount && spareOf(lease) >= amount * plentyCalls && !this.#isScarce(lease);
  }

  #takeAll(shares: readonly Share[]): readonly Share[] {
    const nowMs = this.store.now();
    for (const share of shares) this.#take(share, nowMs);
    return shares;
  }

  /** The share that the lease holds already, not yet set aside. */
  #fittingShare(request: LimitRequest): Share | undefined {
    const { current } = request;
    const lease = this.#leaseOf(current);
    const reserved = fittingAmount(lease, request);
    return reserved === undefined ? undefined : { lease, limit: current, reserved };
  }

  /**
   * Drops all leases after this isolate was fenced off, by a sweeper or after a commit with unknown
   * outcome. A running commit leases again what it spends.
   */
  forgetAll(): void {
    for (const lease of this.#leases.values()) lease.held = 0n;
  }

  drop(lease: Lease): void {
    if (this.#leases.get(lease.allowanceId) === lease) this.#leases.delete(lease.allowanceId);
  }

  /**
   * Handles a recall from another isolate: gives back the free part, and keeps no reserve for a
   * while. If calls wait here too, it gives back only if `yields`, so that one isolate proceeds.
   */
  async recalled(allowanceId: string, yields: boolean): Promise<void> {
    const lease = this.#leases.get(allowanceId);
    if (!lease) return;
    lease.scarceUntilMs = this.store.now() + scarceMs;
    if (yields || !lease.crowded) await this.#giveBack(lease);
  }

  /** Gives back the free part of a lease, unless calls wait for it here. */
  async giveBackFree(lease: Lease): Promise<void> {
    if (!lease.crowded) await this.#giveBack(lease);
  }

  async #giveBack(lease: Lease): Promise<void> {
    if (lease.free > 0n) await this.store.giveBackFree(lease);
  }

  /** After calls have settled: wakes waiting calls, and gives back what other isolates need. */
  settled(lease: Lease): void {
    lease.tell();
    if (this.#isScarce(lease)) void this.giveBackFree(lease).catch(() => {});
  }

  /** Reserves in a fixed order, so that two calls cannot deadlock. */
  async #reserveInTurn(
    requests: readonly LimitRequest[],
    caller?: AbortSignal,
  ): Promise<readonly Share[]> {
    const inOrder = [...requests].sort(({ current: a }, { current: b }) =>
      a.allowanceId < b.allowanceId ? -1 : 1
    );
    const shares: Share[] = [];
    try {
      for (const request of inOrder) shares.push(await this.#reserveOne(request, caller));
    } catch (refusal) {
      release(shares);
      throw refusal;
    }
    return shares;
  }

  async #reserveOne(request: LimitRequest, caller?: AbortSignal): Promise<Share> {
    const { current } = request;
    const lease = this.#leaseOf(current);
    const fitting = fittingAmount(lease, request);
    if (fitting !== undefined) return this.#share(lease, current, fitting);
    const enteredAt = this.store.now();
    const ticket = lease.enter();
    try {
      await unlessLeft(ticket.first, caller);
      // for money, time in the queue counts as waiting; a used-up rate refuses the whole queue
      const since = current.kind === "money" ? enteredAt : this.store.now();
      return await this.#obtain(lease, request, { since, caller });
    } finally {
      lease.leave(ticket);
    }
  }

  /** Leases and waits until the lease holds enough, and reserves in that same step. */
  async #obtain(
    lease: Lease,
    request: LimitRequest,
    { since, caller }: { readonly since: number; readonly caller?: AbortSignal },
  ): Promise<Share> {
    const { current, needed } = request;
    await this.#adopt(lease, current);
    let heldBefore: bigint | undefined;
    for (let waitMs = waitMsMin;; waitMs = Math.min(waitMs * 2, waitMsMax)) {
      if (caller?.aborted) throw callerLeft();
      const wanted = amountFor(lease, needed);
      if (isKnown(lease, needed) && lease.free >= wanted) {
        return this.#share(lease, current, wanted);
      }
      if (this.#isKnownUsedUp(lease, needed)) {
        throw limitRefusal(request, spareOf(lease), lease.roomAtMs);
      }
      const result = await this.#lease(lease, maxAmount(wanted - lease.free, 1n));
      if (result.type !== "insufficient" || spareOf(lease) >= amountFor(lease, needed)) continue;
      const { held } = lease;
      const elsewhere = await this.store.heldElsewhere(lease.allowanceId);
      if (lease.held < held || lease.free >= needed.amount) continue; // given back during the store access
      const spare = lease.free + result.free;
      if (lease.reserved + lease.spending + elsewhere === 0n && spare >= needed.least) {
        if (await this.#obtainRest(lease, result.free) && lease.free >= needed.least) {
          return this.#share(lease, current, minAmount(needed.amount, lease.free));
        }
        continue;
      }
      const most = spare + whatComesBack(lease, maxAmount(elsewhere, heldBefore ?? elsewhere));
      const hopeless = most === spare || most < needed.least;
      if (hopeless && heldBefore === undefined) {
        heldBefore = elsewhere;
        continue; // look once more: an isolate may have given some back between the two reads
      }
      if (hopeless || this.#hasWaited(lease, needed, since)) {
        if (current.kind !== "money") this.#noteUsedUp(lease, spare);
        else if (hopeless) this.#noteUsedUp(lease, most);
        throw limitRefusal(request, spare, lease.roomAtMs);
      }
      heldBefore = elsewhere;
      lease.scarceUntilMs = this.store.now() + scarceMs;
      if (elsewhere > 0n) await this.store.recall(lease.allowanceId);
      await lease.change(waitMs);
    }
  }

  /** Returns true if the wait is over. While the queue is moving, calls keep waiting. */
  #hasWaited({ usedAtMs }: Lease, { waitMs }: NeededAmount, since: number): boolean {
    return this.store.now() >= Math.max(since, usedAtMs) + waitMs;
  }

  /** Negative cache: refuses immediately for a while instead of polling every isolate again. */
  #noteUsedUp(lease: Lease, atMost: bigint): void {
    lease.usedUpUntilMs = this.store.now() + usedUpMs[lease.kind];
    lease.atMost = atMost;
  }

  #isKnownUsedUp(lease: Lease, { least }: NeededAmount): boolean {
    return this.store.now() < lease.usedUpUntilMs && least > lease.atMost;
  }

  /** Leases the whole rest for a call that has no competitors. */
  async #obtainRest(lease: Lease, free: bigint): Promise<boolean> {
    if (free === 0n) return lease.free > 0n;
    const result = await this.store.take(lease, free, () => free);
    return result.type === "leased";
  }

  #lease(lease: Lease, needed: bigint): Promise<LeaseResult> {
    return this.store.take(lease, needed, (free) => this.#sliceOf(lease, needed, free));
  }

  #sliceOf(lease: Lease, needed: bigint, free: bigint): bigint {
    if (lease.limit.type === "none") return free;
    if (this.#isScarce(lease)) return needed;
    return minAmount(needed * lease.callsPerSlice, free / sharePerSlice);
  }

  /** Adopts a changed limit at once, and gives back what was leased under the old one. */
  async #adopt(lease: Lease, { limit }: CurrentLimit): Promise<void> {
    if (isSameLimit(lease.limit, limit)) return;
    lease.limit = limit;
    lease.usedUpUntilMs = 0;
    if (lease.free > 0n || lease.refilling) await this.store.giveBackFree(lease);
  }

  #share(lease: Lease, limit: CurrentLimit, reserved: bigint): Share {
    const share = { lease, limit, reserved };
    this.#take(share, this.store.now());
    return share;
  }

  /** Sets a share aside. */
  #take({ lease, reserved }: Share, nowMs: number): void {
    lease.reserved += reserved;
    lease.usedAtMs = nowMs;
    if (lease.free * sharePerSlice < lease.slice) this.#refill(lease, reserved);
  }

  /** Leases the next slice in advance, so that no call waits for the store. */
  #refill(lease: Lease, needed: bigint): void {
    if (lease.refilling || this.#isScarce(lease)) return;
    lease.refilling = true;
    const done = () => void (lease.refilling = false);
    this.#lease(lease, needed).then(done, done);
  }

  #isScarce(lease: Lease): boolean {
    return this.store.now() < lease.scarceUntilMs;
  }

  #leaseOf(current: CurrentLimit): Lease {
    const { allowanceId, kind, limit } = current;
    const found = this.#leases.get(allowanceId);
    if (found) return found;
    const lease = new Lease(allowanceId, kind, limit, current);
    this.#leases.set(allowanceId, lease);
    return lease;
  }
}

/** A lease that cannot pay for the estimate either is refilled by the call itself. */
function isBarelyShort(lease: Lease, amount: bigint): boolean {
  if (lease.free >= amount || spareOf(lease) < amount * plentyCalls) return false;
  return lease.free * timesEstimateMax >= amount;
}

function areComplete(shares: readonly (Share | undefined)[]): shares is readonly Share[] {
  return !shares.includes(undefined);
}

/** Releases the reservations. Idempotent. */
export function release(shares: readonly Share[]): void {
  for (const share of shares) {
    if (share.reserved === 0n) continue;
    share.lease.reserved -= share.reserved;
    share.reserved = 0n;
    share.lease.tell();
  }
}

/** The amount to reserve at once; undefined if the lease does not hold it, or if calls wait for it. */
function fittingAmount(lease: Lease, { current, needed }: LimitRequest): bigint | undefined {
  if (lease.crowded || !isKnown(lease, needed)) return undefined;
  if (!isSameLimit(lease.limit, current.limit)) return undefined;
  const { free } = lease;
  if (free >= needed.ample) return needed.amount;
  const fitting = amountFor(lease, needed);
  return free >= fitting ? fitting : undefined;
}

/** Returns true if the remaining allowance is known well enough to size this request's share. */
function isKnown(lease: Lease, { amount, enough }: NeededAmount): boolean {
  return lease.unleased !== undefined || enough === amount;
}

/** The full amount, or the request's part of what is left if that is enough. */
function amountFor(lease: Lease, { amount, enough, partPerCall }: NeededAmount): bigint {
  if (enough === amount) return amount;
  return minAmount(amount, maxAmount(enough, spareOf(lease) / partPerCall));
}

/** The amount that may still come back, from calls here or leases elsewhere. */
function whatComesBack(lease: Lease, elsewhere: bigint): bigint {
  return elsewhere + (comesBack[lease.kind] ? lease.reserved + lease.spending : 0n);
}
