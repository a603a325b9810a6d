import type { Caller, ChildKey } from "../accounts/authorize.ts";
import {
  type BoundOwner,
  type LimitKind,
  limitName,
  type LimitOwner,
  type LimitState,
  rollingMs,
  type RollingPeriod,
  windowName,
} from "../canonical/mod.ts";
import { budgetId, childBudgetId, sessionBudgetId } from "../store/money/budget.ts";
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
  readonly owner: BoundOwner;
  readonly ownerId: string;
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
export interface LimitTime {
  readonly nowMs: number;
  /** IANA name of the zone of budgets that name none. */
  readonly timeZone: string;
}

/** The limits of a caller, and the time in which they apply; its end is exclusive. */
interface CallerLimits
  extends
    Pick<Caller, "key" | "group" | "account" | "project" | "organization">,
    Omit<KnownLimits, "owner" | "id"> {}

/** Kept by key until a minute ends or one of the owners changes, which replaces its object. */
const callerLimits = new WeakMap<Caller["key"], CallerLimits>();

/**
 * The limits of the call's child key, its session, the key, its group, its project, the
 * organization, the call's tags and the account; the wallet comes last.
 */
export function currentLimitsOf(caller: Caller, moment: LimitTime): readonly CurrentLimit[] {
  const { limits, sessionNanoUsd } = limitsWithoutSession(caller, moment);
  const { session, key, child } = caller;
  if (!session) return limits; // a child key has one
  const nanoUsd = leastOf([sessionNanoUsd, caller.sessionNanoUsd]);
  const inSession = nanoUsd === undefined
    ? limits
    : [sessionLimit(session.id, key, nanoUsd), ...limits];
  return child?.nanoUsd === undefined
    ? inSession
    : [childLimit(child, key, child.nanoUsd), ...inSession];
}

/** The smallest of the amounts that are present. */
function leastOf(amounts: readonly (bigint | undefined)[]): bigint | undefined {
  return amounts.reduce((least, one) =>
    least === undefined || (one !== undefined && one < least) ? one : least
  );
}

function limitsWithoutSession(caller: Caller, moment: LimitTime): CallerLimits {
  if (caller.tags) return mergedLimits(caller, moment);
  const known = callerLimits.get(caller.key);
  if (known && isOf(known, caller) && isCurrent(known, moment)) return known;
  const found = mergedLimits(caller, moment);
  callerLimits.set(caller.key, found);
  return found;
}

function isOf({ group, account, project, organization }: CallerLimits, caller: Caller): boolean {
  return group === caller.group && account === caller.account && project === caller.project &&
    organization === caller.organization;
}

function mergedLimits(caller: Caller, moment: LimitTime): CallerLimits {
  const { key, group, account, project, organization } = caller;
  const parts = limitsByOwner({ ...caller, accountId: key.accountId }, moment);
  return {
    key,
    group,
    account,
    project,
    organization,
    timeZone: moment.timeZone,
    startsAtMs: Math.max(...parts.map(({ startsAtMs }) => startsAtMs)),
    endsAtMs: Math.min(...parts.map(({ endsAtMs }) => endsAtMs)),
    limits: parts.flatMap(({ limits }) => limits),
    sessionNanoUsd: leastOf(parts.map(({ sessionNanoUsd }) => sessionNanoUsd)),
  };
}

/** Everyone whose limits bind some calls: those of a key, of an account, of a project, or all. */
export interface LimitOwners extends
  Partial<
    Pick<Caller, "key" | "group" | "account" | "project" | "organization" | "tags" | "child">
  > {
  readonly accountId?: string;
}

/** The limits of each owner in their current period, in the order in which calls reserve them. */
export function limitsByOwner(owners: LimitOwners, moment: LimitTime): KnownLimits[] {
  const { key, group, account, accountId = "", project, organization, tags = [] } = owners;
  const owned: (Omit<Owned, "bounds"> & { readonly bounds: Bounds | undefined })[] = [
    { owner: "key", id: key?.id ?? "", bounds: key },
    { owner: "group", id: group?.id ?? "", bounds: group },
    { owner: "project", id: project?.id ?? "", bounds: project },
    { owner: "organization", id: organizationId, bounds: organization },
    ...tags.map(({ text, bounds }) => ({ owner: "tag", id: text, bounds }) as const),
    { owner: "account", id: accountId, bounds: account, spending: account?.spending },
  ];
  return owned.flatMap(({ bounds, ...one }) =>
    bounds ? [limitsOf({ ...one, bounds }, moment)] : []
  );
}

interface Owned {
  readonly owner: LimitOwner;
  readonly id: string;
  readonly bounds: Bounds;
  /** Present for an account, which has a wallet. */
  readonly spending?: Account["spending"] | undefined;
}

/** The limits of an owner, and the time in which they apply; its end is exclusive. */
interface KnownLimits extends Pick<Owned, "owner" | "id"> {
  readonly timeZone: string;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly limits: readonly CurrentLimit[];
  /** The budget of each session; undefined without one. */
  readonly sessionNanoUsd: bigint | undefined;
}

/** Kept until their minute ends or the owner changes, which replaces its object. */
const knownLimits = new WeakMap<Bounds, KnownLimits>();

function limitsOf(owned: Owned, moment: LimitTime): KnownLimits {
  const known = knownLimits.get(owned.bounds);
  const isKnown = known && known.id === owned.id && known.owner === owned.owner;
  if (isKnown && isCurrent(known, moment)) return known;
  const found = currentLimits(owned, moment);
  knownLimits.set(owned.bounds, found);
  return found;
}

function isCurrent(
  { startsAtMs, endsAtMs, timeZone }: Omit<KnownLimits, "owner" | "id">,
  moment: LimitTime,
): boolean {
  return startsAtMs <= moment.nowMs && moment.nowMs < endsAtMs && timeZone === moment.timeZone;
}

function currentLimits(owned: Owned, { timeZone, nowMs }: LimitTime): KnownLimits {
  const { owner, id, bounds, spending } = owned;
  const minute = minuteOf(nowMs);
  const isOfSession = ({ period }: Budget) => period === "session";
  const own = bounds.budgets ?? [];
  const budgets = own.filter((budget) => !isOfSession(budget)).map((budget) => {
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
      ...windowLimits(owned),
      ...budgets.map((one) => budgetLimit(owned, one)),
      ...(spending ? [walletLimit(id, spending)] : []),
    ],
    sessionNanoUsd: own.find(isOfSession)?.nanoUsd,
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
      ownerId: id,
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

const windows = [
  { kind: "requests", field: "requestsPerWindow" },
  { kind: "tokens", field: "tokensPerWindow" },
] as const;

/** Limits in any time of a length, which keep their spending as rolling budgets do. */
function windowLimits({ owner, id, bounds }: Owned): CurrentLimit[] {
  return windows.flatMap(({ kind, field }) =>
    Object.entries(bounds.limits?.[field] ?? {}).map(([length, count = 0]) => {
      const period = length as RollingPeriod; // a key of the record
      return {
        allowanceId: `${kind}:${owner}:${id}:${period}`,
        kind,
        owner,
        ownerId: id,
        limit: { type: "amount", amount: BigInt(count), windowMs: rollingMs(period) },
        state: {
          name: windowName(owner, kind, period),
          kind,
          limit: BigInt(count),
          ...namedOwner(owner, id),
        },
      };
    })
  );
}

function budgetLimit(
  { owner, id }: Owned,
  { budget: { period, nanoUsd }, zone, period: { id: periodId, endsAtMs } }: {
    readonly budget: Budget;
    readonly zone: string;
    readonly period: Period;
  },
): CurrentLimit {
  const windowMs = rollingMs(period);
  return {
    allowanceId: budgetId(owner, id, periodId),
    kind: "money",
    owner,
    ownerId: id,
    period,
    limit: { type: "amount", amount: nanoUsd, ...(windowMs !== undefined && { windowMs }) },
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

const namedOwners: ReadonlySet<LimitOwner> = new Set(["group", "project", "tag"]);

/** The id of an owner that a caller knows by its name. */
function namedOwner(owner: LimitOwner, id: string): Pick<LimitState, "ownerId"> {
  return namedOwners.has(owner) ? { ownerId: id } : {};
}

function sessionLimit(
  sessionId: string,
  { id, accountId }: Caller["key"],
  nanoUsd: bigint,
): CurrentLimit {
  const allowanceId = sessionBudgetId(accountId, id, sessionId);
  return callBudget("session", { allowanceId, ownerId: sessionId, nanoUsd });
}

/** The end of the token ends its budget: a new token has a new one. */
function childLimit(
  { name, endsAtMs }: ChildKey,
  { id, accountId }: Caller["key"],
  nanoUsd: bigint,
): CurrentLimit {
  const allowanceId = childBudgetId({ accountId, keyId: id, endsAtMs, name });
  return { ...callBudget("child", { allowanceId, ownerId: name, nanoUsd }), endsAtMs };
}

/** A budget of which the call states the owner. */
function callBudget(
  owner: "session" | "child",
  { allowanceId, ownerId, nanoUsd }: {
    readonly allowanceId: string;
    readonly ownerId: string;
    readonly nanoUsd: bigint;
  },
): CurrentLimit {
  return {
    allowanceId,
    kind: "money",
    owner,
    ownerId,
    period: "session",
    limit: { type: "amount", amount: nanoUsd },
    state: { name: limitName(owner, "session"), kind: "money", limit: nanoUsd, ownerId },
  };
}

function walletLimit(accountId: string, spending: Account["spending"]): CurrentLimit {
  return {
    allowanceId: walletId(accountId),
    kind: "money",
    owner: "account",
    ownerId: accountId,
    limit: spending === "unlimited" ? { type: "none" } : { type: "wallet", accountId },
    state: { name: limitName("account", "balance"), kind: "money" },
  };
}
