import { type KeyStatus, keyStatusOf } from "../../admin/keys/key_status.ts";
import { usageTable } from "../../ledger/mod.ts";
import type { ApiKey } from "../../store/api_keys/mod.ts";
import { addCounts, type Counts, noCounts } from "../../store/usage/mod.ts";
import { budgetsOfKey, type BudgetUse } from "../keys/budget_use.ts";
import type { PeriodSpan } from "../page/period.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";

/** One of the keys with the highest spend. */
export interface SpentKey {
  readonly id: string;
  readonly counts: Counts;
  /** The spend of each step, in nano-dollars. */
  readonly amounts: readonly number[];
  /** Absent for a key that was deleted. */
  readonly known?: {
    readonly apiKey: ApiKey;
    readonly status: KeyStatus;
    /** The fullest budget. */
    readonly budget?: BudgetUse;
  };
}

const keysShown = 6;

/** The reader's keys with the highest spend of a period. */
export async function keysBySpend(
  state: AccountState,
  { starts, toMs }: PeriodSpan,
  keys: readonly ApiKey[],
): Promise<SpentKey[]> {
  const { services: { store }, account: { user: { id: scope } } } = state;
  const table = await usageTable(store, { dimension: "key", scope }, { startsMs: starts, toMs });
  const spent = table.map(({ subject, parts }) => ({
    subject,
    counts: parts.reduce(addCounts, noCounts),
    amounts: parts.map(({ costNanoUsd }) => Number(costNanoUsd)),
  })).sort((a, b) => a.counts.costNanoUsd < b.counts.costNanoUsd ? 1 : -1);
  return await Promise.all(
    spent.slice(0, keysShown).map(async ({ subject, counts, amounts }) => {
      const apiKey = keys.find((key) => key.id === subject.value);
      const known = apiKey && await factsOf(state, apiKey);
      return { id: subject.value, counts, amounts, ...(known && { known }) };
    }),
  );
}

async function factsOf(state: AccountState, apiKey: ApiKey): Promise<SpentKey["known"]> {
  const groups = state.services.directory.groups();
  const budgets = await tryLoad(budgetsOfKey(state, apiKey));
  const [budget] = (budgets ?? []).toSorted((a, b) => b.share - a.share);
  const status = keyStatusOf(apiKey, { groups, nowMs: state.nowMs, usedShare: budget?.share });
  return { apiKey, status, ...(budget && { budget }) };
}
