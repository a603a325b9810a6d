import { type UsageTotals, usageTotals } from "../ledger/mod.ts";
import { periodOf } from "../ledger/period.ts";
import { budgetId } from "../store/budget.ts";
import {
  type ApiKey,
  type Budget,
  getSpent,
  listRequestLogs,
  type RequestLogRow,
  type Store,
  subjects,
} from "../store/mod.ts";
import { loaded } from "./loaded.ts";
import type { AccountState } from "./state.ts";

/** A budget and how much of its present period is used. */
export interface BudgetUse {
  readonly budget: Budget;
  readonly timeZone: string;
  readonly spentNanoUsd: bigint;
  /** When it is whole again; absent for one that never is. */
  readonly endsAtMs?: number;
}

/** What the page of a key shows beside the key; undefined where it could not be read. */
export interface KeyPageData {
  readonly budgets?: readonly BudgetUse[];
  readonly usage?: UsageTotals;
  readonly calls?: readonly RequestLogRow[];
}

/** Of how many days the page tells the usage. */
export const keyUsageDays = 30;

const callsShown = 10;
const dayMs = 86_400_000;

export async function readKeyPage(
  { services: { store, config }, nowMs }: AccountState,
  { id: keyId, accountId, budgets = [] }: ApiKey,
): Promise<KeyPageData> {
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  const period = { fromMs: toMs - keyUsageDays * dayMs, toMs };
  const defaultZone = config.timeZone ?? "UTC";
  const [used, usage, calls] = await Promise.all([
    loaded(
      Promise.all(budgets.map((budget) => useOf(store, budget, { keyId, defaultZone, nowMs }))),
    ),
    loaded(usageTotals(store, subjects.key(keyId, accountId), period)),
    loaded(listRequestLogs(store, { accountId, keyId, limit: callsShown })),
  ]);
  return { budgets: used, usage, calls: calls?.rows };
}

async function useOf(
  store: Store,
  budget: Budget,
  { keyId, defaultZone, nowMs }: {
    readonly keyId: string;
    readonly defaultZone: string;
    readonly nowMs: number;
  },
): Promise<BudgetUse> {
  const timeZone = budget.timeZone ?? defaultZone;
  const { id, endsAtMs } = periodOf(budget.period, timeZone, nowMs);
  const spentNanoUsd = await getSpent(store, budgetId("key", keyId, id));
  return { budget, timeZone, spentNanoUsd, ...(endsAtMs !== undefined && { endsAtMs }) };
}
