import type { Caller } from "../accounts/authorize.ts";
import { type LimitKind, limitName, type LimitOwner, type LimitState } from "../canonical/mod.ts";
import { budgetId } from "../store/money/budget.ts";
import {
  type AllowanceLimit,
  type Bounds,
  type Budget,
  type BudgetPeriod,
  organizationId,
  walletId,
} from "../store/money/mod.ts";
import type { Account } from "../store/users/mod.ts";
import { minuteOf, type Period, periodOf } from "./period.ts";

/** A limit in its current period: the same for all calls until the period ends. */
export interface CurrentLimit {
  readonly allowanceId: string;
  readonly kind: LimitKind;
  readonly owner: LimitOwner;
  /** Present for a budget. */
  readonly period?: BudgetPeriod;
  readonly limit: AllowanceLimit;
  /** The end of the allowance's period, in epoch milliseconds. */
  readonly endsAtMs?: number;
  /** The limit's id across its minutes, if later minutes pay the overrun of an earlier one. */
  readonly debtId?: string;
  /** The limit as the caller sees it. */
  readonly state: Omit<LimitState, "remaining">;
}

/** The time at which limits are looked up, and the zone in which they apply. */
export interface Moment {
  readonly nowMs: number;
  /** IANA name of the zone of budgets that name none. */
  readonly timeZone: string;
}

/**
 * The limits of the key, its group, its project, the organization, the call's tags and the account;
 * the wallet comes last.
 */
export function currentLimitsOf(caller: Caller, moment: Moment): readonly CurrentLimit[] {
  const { key, group, account, project, organization, tags } = caller;
  const limits: CurrentLimit[] = [];
  const add = (owner: LimitOwner, id: string, bounds: Bounds | undefined) => {
    if (bounds) limits.push(...limitsOf({ owner, id, bounds, spending: undefined }, moment));
  };
  add("key", key.id, key);
  add("group", group.id, group);
  add("project", project?.id ?? "", project);
  add("organization", organizationId, organization);
  for (const { text, bounds } of tags ?? []) add("tag", text, bounds);
  const { spending } = account;
  const owned = { owner: "account", id: key.accountId, bounds: account, spending } as const;
  limits.push(...limitsOf(owned, moment));
  return limits;
}

interface Owned {
  readonly owner: LimitOwner;
  readonly id: string;
  readonly bounds: Bounds;
  /** Present for an account, which has a wallet. */
  readonly spending: Account["spending"] | undefined;
}

/** The limits of an owner, and the time in which they apply; its end is exclusive. */
interface KnownLimits extends Pick<Owned, "owner" | "id"> {
  readonly timeZone: string;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly limits: readonly CurrentLimit[];
}

/** Kept until their minute ends or the owner changes, which replaces its object. */
const knownLimits = new WeakMap<Bounds, KnownLimits>();

function limitsOf(owned: Owned, { nowMs, timeZone }: Moment): readonly CurrentLimit[] {
  const known = knownLimits.get(owned.bounds);
  const isCurrent = known && known.startsAtMs <= nowMs && nowMs < known.endsAtMs &&
    known.id === owned.id && known.owner === owned.owner && known.timeZone === timeZone;
  if (isCurrent) return known.limits;
  const found = currentLimits(owned, timeZone, nowMs);
  knownLimits.set(owned.bounds, found);
  return found.limits;
}

function currentLimits(owned: Owned, timeZone: string, nowMs: number): KnownLimits {
  const { owner, id, bounds, spending } = owned;
  const minute = minuteOf(nowMs);
  const budgets = (bounds.budgets ?? []).map((budget) => {
    const zone = budget.timeZone || timeZone;
    return { budget, zone, period: periodOf(budget.period, zone, nowMs) };
  });
  const periods = [minute, ...budgets.map(({ period }) => period)];
  return {
    owner,
    id,
    timeZone,
    startsAtMs: Math.max(...periods.map(({ startsAtMs = 0 }) => startsAtMs)),
    endsAtMs: Math.min(...periods.map(({ endsAtMs = Infinity }) => endsAtMs)),
    limits: [
      ...rateLimits(owned, minute),
      ...budgets.map((one) => budgetLimit(owned, one)),
      ...(spending ? [walletLimit(id, spending)] : []),
    ],
  };
}

const rates = [
  { kind: "requests", field: "requestsPerMinute", perMinute: true },
  { kind: "tokens", field: "tokensPerMinute", perMinute: true },
  { kind: "concurrency", field: "concurrency", perMinute: false },
] as const;

function rateLimits({ owner, id, bounds }: Owned, minute: Period): CurrentLimit[] {
  return rates.flatMap(({ kind, field, perMinute }) => {
    const limit = bounds.limits?.[field];
    if (limit === undefined) return [];
    const window = perMinute ? minute : undefined;
    return [{
      allowanceId: `${kind}:${owner}:${id}:${window?.id ?? "now"}`,
      kind,
      owner,
      limit: { type: "amount", amount: BigInt(limit) },
      ...(kind === "tokens" && { debtId: `${owner}:${id}` }),
      ...(window && { endsAtMs: window.endsAtMs }),
      state: {
        name: limitName(owner, field),
        kind,
        limit: BigInt(limit),
        ...namedOwner(owner, id),
        ...(window && { resetsAtMs: window.endsAtMs }),
      },
    }];
  });
}

function budgetLimit(
  { owner, id }: Owned,
  { budget: { period, nanoUsd }, zone, period: { id: periodId, endsAtMs } }: {
    readonly budget: Budget;
    readonly zone: string;
    readonly period: Period;
  },
): CurrentLimit {
  return {
    allowanceId: budgetId(owner, id, periodId),
    kind: "money",
    owner,
    period,
    limit: { type: "amount", amount: nanoUsd },
    ...(endsAtMs !== undefined && { endsAtMs }),
    state: {
      name: limitName(owner, period),
      kind: "money",
      limit: nanoUsd,
      timeZone: zone,
      ...namedOwner(owner, id),
      ...(endsAtMs !== undefined && { resetsAtMs: endsAtMs }),
    },
  };
}

/** The id of an owner that a caller knows by its name. */
function namedOwner(owner: LimitOwner, id: string): Pick<LimitState, "ownerId"> {
  return owner === "project" || owner === "tag" ? { ownerId: id } : {};
}

function walletLimit(accountId: string, spending: Account["spending"]): CurrentLimit {
  return {
    allowanceId: walletId(accountId),
    kind: "money",
    owner: "account",
    limit: spending === "unlimited" ? { type: "none" } : { type: "wallet", accountId },
    state: { name: limitName("account", "balance"), kind: "money" },
  };
}
