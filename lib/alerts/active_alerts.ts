import { rollingMs } from "../canonical/mod.ts";
import {
  type Alert,
  type BalanceAlert,
  type BudgetAlert,
  listAlerts,
} from "../store/alerts/mod.ts";
import type { Store } from "../store/mod.ts";
import { balanceOf, getSpending } from "../store/money/mod.ts";
import { readOwner } from "./owner.ts";

/** Selects the active alerts of an account, or of everyone, at a point in time. */
interface ActiveAlertQuery {
  /** Absent for all accounts and groups. */
  readonly accountId?: string;
  readonly nowMs: number;
  readonly limit: number;
}

/** The number of the newest alerts that are checked. */
const recentMax = 200;

/**
 * Returns the alerts that still hold, newest first, one per budget or balance, with current amounts.
 * A budget's alert holds until its period ends or its amount changes; a balance's until it recovers.
 */
export async function activeAlerts(
  store: Store,
  { accountId, nowMs, limit }: ActiveAlertQuery,
): Promise<Alert[]> {
  const { alerts } = await listAlerts(store, { accountId, limit: recentMax });
  const active: Alert[] = [];
  for (const alert of lastOfEach(alerts)) {
    if (active.length === limit) break;
    const current = await currentOf(store, alert, nowMs);
    if (current) active.push(current);
  }
  return active;
}

/** For each budget or balance: the alert about refused calls, if there is one, else the newest. */
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
    case "usage": // reported for a day
    case "cache":
      return Promise.resolve(nowMs - alert.atMs < dayMs ? alert : undefined);
    case "retirement": // from the announcement to the end
      return Promise.resolve(nowMs < Date.parse(alert.retires) + dayMs ? alert : undefined);
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
  const query = { allowanceId: alert.allowanceId, windowMs: rollingMs(period) };
  return { ...alert, name: owned.name, ...await getSpending(store, query, nowMs) };
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
