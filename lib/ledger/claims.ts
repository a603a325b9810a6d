import type { Caller } from "../accounts/authorize.ts";
import { limitName, type LimitOwner, type LimitState } from "../canonical/mod.ts";
import { budgetId } from "../store/money/budget.ts";
import { type Bounds, type Budget, walletId } from "../store/mod.ts";
import type { Claim } from "./claim.ts";
import { minuteOf, periodOf } from "./period.ts";
import { moneyRefusal, rateRefusal } from "./refusal.ts";

/** What a call may use. */
export interface Need {
  /** With an answer as long as it may be. */
  readonly nanoUsd: bigint;
  /** With an answer that is likely long enough; absent: as `nanoUsd`. */
  readonly enoughNanoUsd?: bigint;
  /** With the shortest answer that is of use. */
  readonly leastNanoUsd: bigint;
  /** Prompt and answer together, as such calls have had. */
  readonly tokens: bigint;
}

export interface ClaimOptions {
  readonly nowMs: number;
  /** IANA name of the zone of budgets that name none. */
  readonly timeZone: string;
  /** How long a call waits for money that others may give back. */
  readonly moneyWaitMs: number;
}

/** Rates do not come back: only what other isolates hold free is waited for. */
const rateWaitMs = 200;
/** An isolate that counts a long prompt gives its free places back late. */
const placeWaitMs = 1_000;

const rates = [
  { kind: "requests", field: "requestsPerMinute", perMinute: true, waitMs: rateWaitMs },
  { kind: "tokens", field: "tokensPerMinute", perMinute: true, waitMs: rateWaitMs },
  { kind: "concurrency", field: "concurrency", perMinute: false, waitMs: placeWaitMs },
] as const;

/** One claim for each limit of the key, its group and its account, and one for the wallet. */
export function claimsOf(caller: Caller, need: Need, options: ClaimOptions): Claim[] {
  const claims: Claim[] = [];
  for (const owned of boundsOf(caller)) {
    claims.push(...rateClaims(owned, need, options));
    if (need.nanoUsd === 0n) continue;
    for (const budget of owned.bounds.budgets ?? []) {
      claims.push(budgetClaim(owned, budget, need, options));
    }
  }
  if (need.nanoUsd > 0n) claims.push(walletClaim(caller, need, options));
  return claims;
}

/** Whether money bounds what the caller may spend. */
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

function rateClaims(
  { owner, id, bounds }: Owned,
  need: Need,
  { nowMs }: ClaimOptions,
): Claim[] {
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
      // tokens are charged as they come, if need be to the next minutes: any rest lets a call begin
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

function budgetClaim(
  { owner, id }: Owned,
  { period, nanoUsd, timeZone = "" }: Budget,
  need: Need,
  options: ClaimOptions,
): Claim {
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
    ...moneyClaim(state, need, options),
  };
}

function walletClaim({ key, account }: Caller, need: Need, options: ClaimOptions): Claim {
  const { accountId } = key;
  return {
    allowanceId: walletId(accountId),
    limit: account.spending === "unlimited" ? { type: "none" } : { type: "wallet", accountId },
    ...moneyClaim({ name: limitName("account", "balance"), kind: "money" }, need, options),
  };
}

/** Calls without a limit of their own take no more than this part of what is left, unless it is too little. */
const partOfMoney = 4n;

function moneyClaim(
  state: Omit<LimitState, "remaining">,
  { nanoUsd, enoughNanoUsd = nanoUsd, leastNanoUsd }: Need,
  { moneyWaitMs, nowMs }: ClaimOptions,
): Omit<Claim, "allowanceId" | "limit" | "endsAtMs"> {
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
