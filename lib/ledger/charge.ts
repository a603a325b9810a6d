import type { RosterMember } from "../roster.ts";
import type { PackedRow, RequestLogRow } from "../store/log/mod.ts";
import type { AtomicOperation } from "../store/mod.ts";
import { type Charge, chargeDay } from "../store/settling/mod.ts";
import type { Share } from "./allowances.ts";
import type { Lease } from "./leases/lease.ts";
import { minAmount } from "./price.ts";

/** The claim of a call with an idempotency key: at most one call with that key is charged. */
export interface ChargeClaim {
  /** Renews the claim. Returns false if another call may be charged instead. */
  renew(): Promise<boolean>;
  /** Adds the call's end to the commit that charges it. */
  end(operation: AtomicOperation, row: RequestLogRow): void;
}

/** An ended call: its row, its reservations and its usage. */
export interface EndedCall extends EndedUsage, RosterMember {
  readonly shares: readonly Share[];
  /** The isolate's epoch when the call began. */
  readonly epoch: number;
  /** Present for a call with an idempotency key. */
  readonly claim?: ChargeClaim | undefined;
  /** Resolves with its row once it is recorded. */
  stored?: Promise<RequestLogRow>;
  /** True while an attempt to record it is running, and once it is recorded. */
  isTried?: boolean;
  /** Replaces its usage if the running attempt fails. */
  corrected?: EndedUsage;
  /** Its row as it is stored, packed at the first attempt; outdated if `of` is another row. */
  packed?: { readonly of: RequestLogRow; readonly row: PackedRow };
}

/** The usage of a call; corrected between attempts if its caller received only a part. */
export interface EndedUsage {
  row: RequestLogRow;
  /** The cost of its usage; its row may be charged less if the reservations do not cover it. */
  costNanoUsd: bigint;
  tokens: bigint;
}

/**
 * Converts reservations into spending in one step, so that no call can reserve them in between.
 * Returns the part of the cost beyond its reservations.
 */
export function charge({ shares, costNanoUsd, tokens }: EndedCall, paying: Set<Lease>): bigint {
  let least = costNanoUsd;
  for (const share of shares) {
    const { lease, reserved } = share;
    lease.reserved -= reserved;
    share.reserved = 0n;
    if (lease.kind === "money") {
      spend(paying, lease, costNanoUsd);
      least = minAmount(least, reserved);
    } else if (lease.kind === "requests") spend(paying, lease, share.requests ??= reserved);
    else if (lease.kind === "tokens") spend(paying, lease, tokens);
  }
  return costNanoUsd - least;
}

export function isOverdrawn(lease: Lease): boolean {
  return lease.kind === "money" && lease.free < 0n;
}

/**
 * Charges less where the leases cannot pay: calls that exceeded their reservations at most by that
 * excess, and all calls if that is not enough, the last ones first.
 */
export function chargedLess(
  ended: readonly EndedCall[],
  excess: readonly bigint[],
  paying: Set<Lease>,
): readonly EndedCall[] {
  const cuts = ended.map(() => 0n);
  for (const mostOf of [(at: number) => excess[at], (at: number) => ended[at].costNanoUsd]) {
    for (let at = ended.length - 1; at >= 0; at--) {
      const cut = minAmount(shortageOf(ended[at]), mostOf(at) - cuts[at]);
      for (const { lease } of ended[at].shares) {
        if (lease.kind === "money") spend(paying, lease, -cut);
      }
      cuts[at] += cut;
    }
  }
  return ended.map((one, at) => cuts[at] === 0n ? one : uncovered(one, one.costNanoUsd - cuts[at]));
}

/** The amount that the leases of a call lack. */
function shortageOf({ shares }: EndedCall): bigint {
  let least = 0n;
  for (const { lease } of shares) if (lease.kind === "money") least = minAmount(least, lease.free);
  return -least;
}

export function spend(paying: Set<Lease>, lease: Lease, amount: bigint): void {
  lease.spending += amount;
  paying.add(lease);
}

/** Records the uncovered part next to the charge: a call never takes a wallet below zero. */
function uncovered(ended: EndedCall, charge: bigint): EndedCall {
  const { row, costNanoUsd } = ended;
  return {
    ...ended,
    row: { ...row, costNanoUsd: charge, uncoveredNanoUsd: costNanoUsd - charge },
  };
}

/** One charge for each account, key and day. */
export function chargesOf(ended: readonly EndedCall[]): Charge[] {
  const charges = new Map<string, Charge & { nanoUsd: bigint; upstreamNanoUsd: bigint }>();
  for (const { row: { accountId, keyId, atMs, costNanoUsd = 0n, upstreamCost } } of ended) {
    const day = chargeDay(atMs);
    const id = `${accountId} ${keyId} ${day}`;
    const sums = { accountId, keyId, day, nanoUsd: 0n, upstreamNanoUsd: 0n };
    const known = charges.getOrInsert(id, sums);
    known.nanoUsd += costNanoUsd;
    if (upstreamCost) known.upstreamNanoUsd += upstreamCost.nanoUsd;
  }
  return [...charges.values()];
}
