import { type ModelRule, modelRulesOf } from "../accounts/model_rules.ts";
import { type LimitKind, limitName, type Refuser } from "../canonical/mod.ts";
import type { Store } from "../store/mod.ts";
import { balanceOf, type BudgetPeriod, getCounted, getSpending } from "../store/money/mod.ts";
import {
  type CurrentLimit,
  type LimitOwners,
  limitsByOwner,
  type LimitTime,
} from "./current_limits.ts";
import { refuserOf } from "./limit_requests.ts";

/** The use of a limit. Calls in progress are not counted. */
interface LimitUse {
  /** Absent for a wallet, and for what is used only while calls run. */
  readonly used?: bigint;
  /** At least 0; absent for what is used only while calls run. */
  readonly left?: bigint;
  /** The time at which the oldest use leaves a window of any length. */
  readonly leavesAtMs?: number;
}

/** A budget, a limit or a wallet that bounds calls, in the unit of its kind. */
export interface Bound extends Refuser, LimitUse {
  readonly kind: LimitKind;
  /** Such as `project monthly budget`; see `limitName`. */
  readonly name: string;
  /** Present for a budget. */
  readonly period?: BudgetPeriod;
  /** Absent for a wallet. */
  readonly limit?: bigint;
  readonly resetsAtMs?: number;
  /** IANA name of the zone of the reset; default: UTC. */
  readonly timeZone?: string;
}

/** Everything that bounds some calls, each with its owner. */
export interface EffectiveBounds {
  /** In the order in which calls reserve them. */
  readonly limits: readonly Bound[];
  readonly models: readonly ModelRule[];
}

/**
 * Lists what bounds the calls of a key, an account, a project, a group or everyone: the limits that
 * calls reserve, by the same function, and the rules about models that admit them.
 */
export async function effectiveBounds(
  store: Store,
  owners: LimitOwners,
  moment: LimitTime,
): Promise<EffectiveBounds> {
  const parts = limitsByOwner(owners, moment);
  const limits = await Promise.all(parts.flatMap(({ owner, id, limits, sessionNanoUsd }) => [
    ...limits.filter(({ limit }) => limit.type !== "none")
      .map((limit) => boundWithUse(store, limit, moment.nowMs)),
    ...(sessionNanoUsd === undefined ? [] : [sessionBound({ owner, id }, sessionNanoUsd)]),
  ]));
  const isRule = ({ models }: ModelRule) => !models.includes("*");
  return { limits, models: modelRulesOf(owners).filter(isRule) };
}

async function boundWithUse(store: Store, current: CurrentLimit, nowMs: number): Promise<Bound> {
  const { kind, period, state: { ownerId: _, ...state } } = current;
  return {
    ...refuserOf(current),
    ...state,
    kind,
    ...(period !== undefined && { period }),
    ...await useOf(store, current, nowMs),
  };
}

/** Each session uses its own, so the bound itself has no use. */
function sessionBound(refuser: Refuser, limit: bigint): Bound {
  const { owner } = refuser;
  const name = limitName(owner as "key", "session"); // an owner of limits
  return { ...refuser, kind: "money", name, period: "session", limit };
}

/** Reads the use of a limit by the settled calls of its current period. */
export async function useOf(
  store: Store,
  { allowanceId, kind, limit }: CurrentLimit,
  nowMs: number,
): Promise<LimitUse> {
  if (limit.type === "wallet") {
    return { left: atLeastZero(await balanceOf(store, limit.accountId)) };
  }
  if (limit.type === "none" || kind === "concurrency") return {};
  const { amount, windowMs } = limit;
  if (kind !== "money" && windowMs === undefined) {
    const used = await getCounted(store, allowanceId);
    return { used, left: atLeastZero(amount - used) };
  }
  const { spentNanoUsd: used, ...leaves } = await getSpending(
    store,
    { allowanceId, windowMs },
    nowMs,
  );
  return { used, left: atLeastZero(amount - used), ...leaves };
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
