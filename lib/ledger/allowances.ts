import { callerLeft, type GatewayError, type LimitKind } from "../canonical/mod.ts";
import type { LeaseResult } from "../store/money/mod.ts";
import { comesBack, type LimitRequest } from "./limit_requests.ts";
import { isSameLimit, Lease, spareOf } from "./leases/lease.ts";
import { unlessLeft } from "./leases/unless_left.ts";

/** What the leases of one isolate need of the store; every step is alone in its isolate. */
export interface LeaseStore {
  take(lease: Lease, needed: bigint, slice: (free: bigint) => bigint): Promise<LeaseResult>;
  giveBack(lease: Lease, amount: bigint): Promise<void>;
  /** What other isolates hold of it. */
  heldElsewhere(allowanceId: string): Promise<bigint>;
  recall(allowanceId: string): Promise<void>;
  readonly now: () => number;
}

/** A part of a lease that is set aside for one call. */
export interface Share {
  readonly lease: Lease;
  readonly request: LimitRequest;
  /** 0 once the call has settled. */
  reserved: bigint;
}

const scarceMs = 5_000;
/** Rates come back with time, money by payments, which are to count at once. */
const usedUpMs = {
  money: 25,
  tokens: 250,
  requests: 250,
  concurrency: 250,
} as const satisfies Record<LimitKind, number>;
const waitMsMin = 2;
const waitMsMax = 100;
/** A slice is at most so many times what a call needs, and at most a part of what is free. */
const callsPerSlice = 64n;
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
   * Sets aside what a call may use of every allowance that binds it: at once where the leases hold
   * it, else after more was leased or others have given back. Throws the refusal of the request that
   * cannot be met; then nothing is set aside. Who leaves no longer waits: `caller` aborts.
   */
  reserve(
    requests: readonly LimitRequest[],
    caller?: AbortSignal,
  ): readonly Share[] | Promise<readonly Share[]> {
    const leases = requests.map((request) => this.#leaseOf(request));
    if (!leases.every((lease, at) => fits(lease, requests[at]))) {
      return this.#reserveInTurn(requests, caller);
    }
    return requests.map((request, at) =>
      this.#share(leases[at], request, amountFor(leases[at], request))
    );
  }

  /** The lease is no longer what the store says: others took the isolate for dead. */
  forgetAll(): void {
    for (const lease of this.#leases.values()) lease.held = lease.spending;
  }

  drop(lease: Lease): void {
    if (this.#leases.get(lease.allowanceId) === lease) this.#leases.delete(lease.allowanceId);
  }

  /**
   * Somebody else needs it: gives back what is free, and holds no more than needed for a while.
   * Where calls wait here too, it only gives way to whom `yields` says, so that one of both goes on.
   */
  async recalled(allowanceId: string, yields: boolean): Promise<void> {
    const lease = this.#leases.get(allowanceId);
    if (!lease) return;
    lease.scarceUntilMs = this.store.now() + scarceMs;
    if (yields || !lease.crowded) await this.#giveBack(lease);
  }

  /** Gives back what is free, unless calls wait for it here. */
  async giveBackFree(lease: Lease): Promise<void> {
    if (!lease.crowded) await this.#giveBack(lease);
  }

  async #giveBack(lease: Lease): Promise<void> {
    if (lease.free > 0n) await this.store.giveBack(lease, lease.free);
  }

  /** After calls have settled: tells who waits here, and gives back what others wait for. */
  settled(lease: Lease): void {
    lease.tell();
    if (this.#isScarce(lease)) void this.giveBackFree(lease).catch(() => {});
  }

  /** In a fixed order, so that no two calls wait for each other. */
  async #reserveInTurn(
    requests: readonly LimitRequest[],
    caller?: AbortSignal,
  ): Promise<readonly Share[]> {
    const inOrder = [...requests].sort((a, b) => a.allowanceId < b.allowanceId ? -1 : 1);
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
    const lease = this.#leaseOf(request);
    if (fits(lease, request)) return this.#share(lease, request, amountFor(lease, request));
    const enteredAt = this.store.now();
    const ticket = lease.enter();
    try {
      await unlessLeft(ticket.first, caller);
      // who waits for money has waited in line; a rate that is used up is said to the whole line at once
      const since = request.kind === "money" ? enteredAt : this.store.now();
      return await this.#obtain(lease, request, { since, caller });
    } finally {
      lease.leave(ticket);
    }
  }

  /** Leases and waits until the lease holds what the request wants, and sets it aside in that very step. */
  async #obtain(
    lease: Lease,
    request: LimitRequest,
    { since, caller }: { readonly since: number; readonly caller?: AbortSignal },
  ): Promise<Share> {
    await this.#adopt(lease, request);
    let heldBefore: bigint | undefined;
    for (let waitMs = waitMsMin;; waitMs = Math.min(waitMs * 2, waitMsMax)) {
      if (caller?.aborted) throw callerLeft();
      const wanted = amountFor(lease, request);
      if (isKnown(lease, request) && lease.free >= wanted) {
        return this.#share(lease, request, wanted);
      }
      if (this.#isKnownUsedUp(lease, request)) throw refusalOf(request, spareOf(lease));
      const result = await this.#lease(lease, highest(wanted - lease.free, 1n));
      if (result.type !== "insufficient" || spareOf(lease) >= amountFor(lease, request)) continue;
      const { held } = lease;
      const elsewhere = await this.store.heldElsewhere(lease.allowanceId);
      if (lease.held < held || lease.free >= request.amount) continue; // given back while the store was asked
      const spare = lease.free + result.free;
      if (lease.reserved + lease.spending + elsewhere === 0n && spare >= request.least) {
        if (await this.#obtainRest(lease, result.free) && lease.free >= request.least) {
          return this.#share(lease, request, lowest(request.amount, lease.free));
        }
        continue;
      }
      const most = spare + whatComesBack(lease, highest(elsewhere, heldBefore ?? elsewhere));
      const hopeless = most === spare || most < request.least;
      if (hopeless && heldBefore === undefined) {
        heldBefore = elsewhere;
        continue; // what was given back between the two looks is seen by the next
      }
      if (hopeless || this.#hasWaited(lease, request, since)) {
        if (request.kind !== "money") this.#noteUsedUp(lease, spare);
        else if (hopeless) this.#noteUsedUp(lease, most);
        throw refusalOf(request, spare);
      }
      heldBefore = elsewhere;
      lease.scarceUntilMs = this.store.now() + scarceMs;
      if (elsewhere > 0n) await this.store.recall(lease.allowanceId);
      await lease.change(waitMs);
    }
  }

  /** A line that moves waits on. */
  #hasWaited({ usedAtMs }: Lease, { waitMs }: LimitRequest, since: number): boolean {
    return this.store.now() >= Math.max(since, usedAtMs) + waitMs;
  }

  /** Who comes next is refused at once for a while: looking everywhere takes time. */
  #noteUsedUp(lease: Lease, atMost: bigint): void {
    lease.usedUpUntilMs = this.store.now() + usedUpMs[lease.kind];
    lease.atMost = atMost;
  }

  #isKnownUsedUp(lease: Lease, { least }: LimitRequest): boolean {
    return this.store.now() < lease.usedUpUntilMs && least > lease.atMost;
  }

  /** A call that is alone may have everything that is left. */
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
    return lowest(needed * callsPerSlice, free / sharePerSlice);
  }

  /** A limit that was changed counts from now on: what was leased under another is given back. */
  async #adopt(lease: Lease, { limit }: LimitRequest): Promise<void> {
    if (isSameLimit(lease.limit, limit)) return;
    lease.limit = limit;
    lease.usedUpUntilMs = 0;
    if (lease.free > 0n) await this.store.giveBack(lease, lease.free);
  }

  #share(lease: Lease, request: LimitRequest, reserved: bigint): Share {
    lease.reserved += reserved;
    lease.usedAtMs = this.store.now();
    if (lease.free * sharePerSlice < lease.slice) this.#refill(lease, reserved);
    return { lease, request, reserved };
  }

  /** Leases ahead, so that no call waits for the store. */
  #refill(lease: Lease, needed: bigint): void {
    if (lease.refilling || this.#isScarce(lease)) return;
    lease.refilling = true;
    const done = () => void (lease.refilling = false);
    this.#lease(lease, needed).then(done, done);
  }

  #isScarce(lease: Lease): boolean {
    return this.store.now() < lease.scarceUntilMs;
  }

  #leaseOf(request: LimitRequest): Lease {
    const { allowanceId, kind, limit } = request;
    const found = this.#leases.get(allowanceId);
    if (found) return found;
    const lease = new Lease(allowanceId, kind, limit, request);
    this.#leases.set(allowanceId, lease);
    return lease;
  }
}

/** Gives back what was set aside; giving back twice is giving back once. */
export function release(shares: readonly Share[]): void {
  for (const share of shares) {
    if (share.reserved === 0n) continue;
    share.lease.reserved -= share.reserved;
    share.reserved = 0n;
    share.lease.tell();
  }
}

function fits(lease: Lease, request: LimitRequest): boolean {
  return !lease.crowded && isKnown(lease, request) && lease.free >= amountFor(lease, request) &&
    isSameLimit(lease.limit, request.limit);
}

/** Whether enough is known of the allowance to say what a request may take of it. */
function isKnown(lease: Lease, { amount, enough }: LimitRequest): boolean {
  return enough === amount || lease.unleased !== undefined;
}

/** All that a request asks for, or its part of what is left where that is enough. */
function amountFor(lease: Lease, { amount, enough, partPerCall }: LimitRequest): bigint {
  return lowest(amount, highest(enough, spareOf(lease) / partPerCall));
}

function highest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** What settles here or is given back elsewhere. */
function whatComesBack(lease: Lease, elsewhere: bigint): bigint {
  return elsewhere + (comesBack[lease.kind] ? lease.reserved + lease.spending : 0n);
}

function refusalOf({ refusal, state }: LimitRequest, remaining: bigint): GatewayError {
  return refusal({ ...state, remaining });
}

/** Of two amounts. */
export function lowest(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
