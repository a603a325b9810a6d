import {
  type Alert,
  type BalanceAlert,
  balanceOf,
  type BudgetAlert,
  getSpent,
  listAlerts,
  type Store,
} from "../store/mod.ts";
import { readOwner } from "./owner.ts";

/** Whose alerts are asked for, as of when, and how many at most. */
export interface StandingQuery {
  /** Absent: those of all accounts and groups. */
  readonly accountId?: string;
  readonly nowMs: number;
  readonly limit: number;
}

/** Older ones than these are not looked at. */
const recentMax = 200;

/**
 * The alerts that still hold, newest first and one for each budget or balance, with the amounts of
 * now: the budget's period is not over and its amount not changed, the balance is still as low.
 */
export async function standingAlerts(
  store: Store,
  { accountId, nowMs, limit }: StandingQuery,
): Promise<Alert[]> {
  const { alerts } = await listAlerts(store, { accountId, limit: recentMax });
  const standing: Alert[] = [];
  for (const alert of lastOfEach(alerts)) {
    if (standing.length === limit) break;
    const current = await currentOf(store, alert, nowMs);
    if (current) standing.push(current);
  }
  return standing;
}

/** Of what was told of one budget or balance, that calls were refused says most, else the newest. */
function lastOfEach(newestFirst: readonly Alert[]): Alert[] {
  const byAllowance = Map.groupBy(newestFirst, ({ allowanceId }) => allowanceId);
  return [...byAllowance.values()].map((alerts) =>
    alerts.find(({ refused }) => refused) ?? alerts[0]
  );
}

function currentOf(store: Store, alert: Alert, nowMs: number): Promise<Alert | undefined> {
  switch (alert.type) {
    case "budget":
      return currentBudget(store, alert, nowMs);
    case "balance":
      return currentBalance(store, alert);
    case "usage": // it happened, and is news for a day
      return Promise.resolve(nowMs - alert.atMs < dayMs ? alert : undefined);
    default:
      return alert satisfies never;
  }
}

const dayMs = 86_400_000;

async function currentBudget(
  store: Store,
  alert: BudgetAlert,
  nowMs: number,
): Promise<BudgetAlert | undefined> {
  const { owner, ownerId, period, limitNanoUsd, endsAtMs = Infinity } = alert;
  if (endsAtMs <= nowMs) return undefined;
  const owned = await readOwner(store, owner, ownerId);
  const same = owned?.budgets.some((budget) =>
    budget.period === period && budget.nanoUsd === limitNanoUsd
  );
  if (!owned || !same) return undefined;
  return { ...alert, name: owned.name, spentNanoUsd: await getSpent(store, alert.allowanceId) };
}

async function currentBalance(
  store: Store,
  alert: BalanceAlert,
): Promise<BalanceAlert | undefined> {
  const owned = await readOwner(store, alert.owner, alert.ownerId);
  if (!owned?.prepaid) return undefined;
  const balanceNanoUsd = await balanceOf(store, alert.ownerId);
  const recovered = balanceNanoUsd >= alert.lowNanoUsd && balanceNanoUsd > alert.balanceNanoUsd;
  return recovered ? undefined : { ...alert, name: owned.name, balanceNanoUsd };
}
