import type { Caller } from "../accounts/authorize.ts";
import { changedError, type GatewayError, type LimitKind, type Refuser } from "../canonical/mod.ts";
import type { Bounds } from "../store/money/mod.ts";
import { type CurrentLimit, currentLimitsOf, type LimitTime } from "./current_limits.ts";
import { moneyRefusal, rateRefusal } from "./refusal.ts";

/** A call's reservation request for one allowance, made before it is sent. */
export interface LimitRequest {
  readonly current: CurrentLimit;
  readonly needed: NeededAmount;
  /** The start of the call, from which a refusal counts the time to retry after. */
  readonly nowMs: number;
}

/** The part of a request that depends on its call and on the kind of the limit. */
export interface NeededAmount {
  /** The most that is set aside, in the allowance's unit; above 0. */
  readonly amount: bigint;
  /**
   * A smaller reservation that suffices: used if `amount` exceeds the share of the remaining
   * allowance, so that the call need not wait for more. At most `amount`.
   */
  readonly enough: bigint;
  /** The call takes at most one n-th of what is left, so that concurrent calls get a share too. */
  readonly partPerCall: bigint;
  /** `amount` × `partPerCall`: if a lease has so much free, the call gets the whole `amount`. */
  readonly ample: bigint;
  /** The smallest useful amount, for a call without competitors. At most `enough`. */
  readonly least: bigint;
  /** The longest wait for other calls and isolates to give back. */
  readonly waitMs: number;
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

interface LimitRequestOptions extends LimitTime {
  /** The longest wait for money that other calls or isolates may give back. */
  readonly moneyWaitMs: number;
}

/** Short, because used rates do not come back: a call waits only for unused leases elsewhere. */
const rateWaitMs = 200;
/** Longer, because an isolate busy with counting a long prompt gives its free slots back late. */
const placeWaitMs = 1_000;

/** One request for each limit that binds the caller, and one for the wallet. */
export function limitRequestsOf(
  caller: Caller,
  need: Need,
  options: LimitRequestOptions,
): LimitRequest[] {
  const { nowMs } = options;
  const needed = neededOf(need, options);
  const requests = currentLimitsOf(caller, options)
    .map((current) => ({ current, needed: needed[current.kind], nowMs }));
  return need.nanoUsd > 0n && need.tokens > 0n
    ? requests
    : requests.filter(({ needed: { amount } }) => amount > 0n);
}

/**
 * The error for the caller of a request that cannot be met, with what remains, and with the time at
 * which a rolling budget has room for it.
 */
export function limitRefusal(
  { current, needed: { amount, least }, nowMs }: LimitRequest,
  remaining: bigint,
  roomAtMs?: (needed: bigint) => number | undefined,
): GatewayError {
  const { resetsAtMs = roomAtMs?.(least) } = current.state;
  const state = { ...current.state, remaining, ...(resetsAtMs !== undefined && { resetsAtMs }) };
  const refusal = current.kind === "money"
    ? moneyRefusal(state, { mostNanoUsd: amount, leastNanoUsd: least }, nowMs)
    : rateRefusal(state, nowMs);
  return changedError(refusal, { refuser: refuserOf(current) });
}

/** The owner of a limit; the owner of an account's money is its wallet. */
export function refuserOf(
  { owner, ownerId, limit }: Pick<CurrentLimit, "owner" | "ownerId" | "limit">,
): Refuser {
  return { owner: limit.type === "wallet" ? "wallet" : owner, id: ownerId };
}

/** Returns true if a budget or a prepaid balance limits the caller. */
export function isBoundByMoney(
  { key, child, group, account, project, organization, tags, sessionNanoUsd }: Caller,
): boolean {
  return sessionNanoUsd !== undefined || child?.nanoUsd !== undefined ||
    account.spending === "prepaid" || hasBudget(key) || hasBudget(group) || hasBudget(account) ||
    hasBudget(project) || hasBudget(organization) ||
    tags?.some(({ bounds }) => hasBudget(bounds)) === true;
}

function hasBudget(bounds: Bounds | undefined): boolean {
  return bounds?.budgets !== undefined && bounds.budgets.length > 0;
}

/** Calls without an output limit take at most a quarter of what is left, if that is enough. */
const partOfMoney = 4n;

function neededOf(
  { nanoUsd, enoughNanoUsd = nanoUsd, leastNanoUsd, tokens }: Need,
  { moneyWaitMs }: LimitRequestOptions,
): Readonly<Record<LimitKind, NeededAmount>> {
  return {
    requests: oneRequest,
    tokens: rate(tokens, rateWaitMs),
    concurrency: onePlace,
    money: {
      amount: nanoUsd,
      enough: enoughNanoUsd,
      partPerCall: partOfMoney,
      ample: nanoUsd * partOfMoney,
      least: leastNanoUsd,
      waitMs: moneyWaitMs,
    },
  };
}

const oneRequest = rate(1n, rateWaitMs);
const onePlace = rate(1n, placeWaitMs);

/** Any remainder admits a call: its tokens are charged as used, even to later minutes. */
function rate(amount: bigint, waitMs: number): NeededAmount {
  return { amount, enough: 1n, partPerCall: 1n, ample: amount, least: 1n, waitMs };
}
