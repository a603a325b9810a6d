import type { Caller } from "../accounts/authorize.ts";
import {
  type GatewayError,
  type LimitKind,
  limitName,
  type LimitOwner,
  type LimitState,
} from "../canonical/mod.ts";
import { budgetId } from "../store/money/budget.ts";
import { type AllowanceLimit, type Bounds, type Budget, walletId } from "../store/money/mod.ts";
import { minuteOf, periodOf } from "./period.ts";
import { moneyRefusal, rateRefusal } from "./refusal.ts";

/** A call's reservation request for one allowance, made before it is sent. */
export interface LimitRequest {
  readonly allowanceId: string;
  readonly kind: LimitKind;
  readonly limit: AllowanceLimit;
  /** The most that is set aside, in the allowance's unit; above 0. */
  readonly amount: bigint;
  /**
   * A smaller reservation that suffices: used if `amount` exceeds the share of the remaining
   * allowance, so that the call need not wait for more. At most `amount`.
   */
  readonly enough: bigint;
  /** The call takes at most one n-th of what is left, so that concurrent calls get a share too. */
  readonly partPerCall: bigint;
  /** The smallest useful amount, for a call without competitors. At most `enough`. */
  readonly least: bigint;
  /** The longest wait for other calls and isolates to give back. */
  readonly waitMs: number;
  /** The end of the allowance's period, in epoch milliseconds. */
  readonly endsAtMs?: number;
  /** The limit's id across its minutes, if later minutes pay the overrun of an earlier one. */
  readonly debtId?: string;
  /** The limit as the caller sees it. */
  readonly state: Omit<LimitState, "remaining">;
  /** Builds the error for the caller from what remains. */
  readonly refusal: (state: LimitState) => GatewayError;
}

/** True for kinds of allowance to which unused reservations return. */
export const comesBack = {
  money: true,
  tokens: true,
  requests: false,
  concurrency: false,
} as const satisfies Record<LimitKind, boolean>;

/** The money and tokens that a call may use. */
interface Need {
  /** With the longest allowed answer. */
  readonly nanoUsd: bigint;
  /** With a likely answer; absent: `nanoUsd`. */
  readonly enoughNanoUsd?: bigint;
  /** With the shortest useful answer. */
  readonly leastNanoUsd: bigint;
  /** The expected tokens of prompt and answer. */
  readonly tokens: bigint;
}

interface LimitRequestOptions {
  readonly nowMs: number;
  /** IANA name of the zone of budgets that name none. */
  readonly timeZone: string;
  /** The longest wait for money that other calls or isolates may give back. */
  readonly moneyWaitMs: number;
}

/** Short, because used rates do not come back: a call waits only for unused leases elsewhere. */
const rateWaitMs = 200;
/** Longer, because an isolate busy with counting a long prompt gives its free slots back late. */
const placeWaitMs = 1_000;

const rates = [
  { kind: "requests", field: "requestsPerMinute", perMinute: true, waitMs: rateWaitMs },
  { kind: "tokens", field: "tokensPerMinute", perMinute: true, waitMs: rateWaitMs },
  { kind: "concurrency", field: "concurrency", perMinute: false, waitMs: placeWaitMs },
] as const;

/** One request for each limit of the key, its group and its account, and one for the wallet. */
export function limitRequestsOf(
  caller: Caller,
  need: Need,
  options: LimitRequestOptions,
): LimitRequest[] {
  const requests: LimitRequest[] = [];
  for (const owned of boundsOf(caller)) {
    requests.push(...rateRequests(owned, need, options));
    if (need.nanoUsd === 0n) continue;
    for (const budget of owned.bounds.budgets ?? []) {
      requests.push(budgetRequest(owned, budget, need, options));
    }
  }
  if (need.nanoUsd > 0n) requests.push(walletRequest(caller, need, options));
  return requests;
}

/** Returns true if a budget or a prepaid balance limits the caller. */
export function isBoundByMoney(caller: Caller): boolean {
  return caller.account.spending === "prepaid" ||
    boundsOf(caller).some(({ bounds }) => (bounds.budgets?.length ?? 0) > 0);
}

interface Owned {
  readonly owner: LimitOwner;
  readonly id: string;
  readonly bounds: Bounds;
}

function boundsOf({ key, group, account }: Caller): Owned[] {
  return [
    { owner: "key", id: key.id, bounds: key },
    { owner: "group", id: group.id, bounds: group },
    { owner: "account", id: key.accountId, bounds: account },
  ];
}

function rateRequests(
  { owner, id, bounds }: Owned,
  need: Need,
  { nowMs }: LimitRequestOptions,
): LimitRequest[] {
  const minute = minuteOf(nowMs);
  return rates.flatMap(({ kind, field, perMinute, waitMs }) => {
    const limit = bounds.limits?.[field];
    const amount = kind === "tokens" ? need.tokens : 1n;
    if (limit === undefined || amount === 0n) return [];
    const window = perMinute ? minute : undefined;
    return [{
      allowanceId: `${kind}:${owner}:${id}:${window?.id ?? "now"}`,
      kind,
      limit: { type: "amount", amount: BigInt(limit) },
      amount,
      // tokens are charged as used, even to the next minutes: any remainder admits a call
      ...(kind === "tokens"
        ? { enough: 1n, least: 1n, debtId: `${owner}:${id}` }
        : { enough: amount, least: amount }),
      partPerCall: 1n,
      waitMs,
      ...(window && { endsAtMs: window.endsAtMs }),
      state: {
        name: limitName(owner, field),
        kind,
        limit: BigInt(limit),
        ...(window && { resetsAtMs: window.endsAtMs }),
      },
      refusal: (state) => rateRefusal(state, nowMs),
    }];
  });
}

function budgetRequest(
  { owner, id }: Owned,
  { period, nanoUsd, timeZone = "" }: Budget,
  need: Need,
  options: LimitRequestOptions,
): LimitRequest {
  const zone = timeZone || options.timeZone;
  const { id: periodId, endsAtMs } = periodOf(period, zone, options.nowMs);
  const state = {
    name: limitName(owner, period),
    kind: "money",
    limit: nanoUsd,
    timeZone: zone,
    ...(endsAtMs !== undefined && { resetsAtMs: endsAtMs }),
  } as const;
  return {
    allowanceId: budgetId(owner, id, periodId),
    limit: { type: "amount", amount: nanoUsd },
    ...(endsAtMs !== undefined && { endsAtMs }),
    ...moneyRequest(state, need, options),
  };
}

function walletRequest(
  { key, account }: Caller,
  need: Need,
  options: LimitRequestOptions,
): LimitRequest {
  const { accountId } = key;
  return {
    allowanceId: walletId(accountId),
    limit: account.spending === "unlimited" ? { type: "none" } : { type: "wallet", accountId },
    ...moneyRequest({ name: limitName("account", "balance"), kind: "money" }, need, options),
  };
}

/** Calls without an output limit take at most a quarter of what is left, if that is enough. */
const partOfMoney = 4n;

function moneyRequest(
  state: Omit<LimitState, "remaining">,
  { nanoUsd, enoughNanoUsd = nanoUsd, leastNanoUsd }: Need,
  { moneyWaitMs, nowMs }: LimitRequestOptions,
): Omit<LimitRequest, "allowanceId" | "limit" | "endsAtMs"> {
  return {
    kind: "money",
    amount: nanoUsd,
    enough: enoughNanoUsd,
    partPerCall: partOfMoney,
    least: leastNanoUsd,
    waitMs: moneyWaitMs,
    state,
    refusal: (current) => moneyRefusal(current, { mostNanoUsd: nanoUsd, leastNanoUsd }, nowMs),
  };
}
