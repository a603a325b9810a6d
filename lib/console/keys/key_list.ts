import type { Store } from "../../store/mod.ts";
import {
  type ApiKey,
  type FormerSecretUse,
  getFormerSecretUse,
  listApiKeys,
} from "../../store/api_keys/mod.ts";
import { compactRows } from "../../store/settling/mod.ts";
import { addCounts, type Counts, noCounts, readCounts, subjects } from "../../store/usage/mod.ts";
import { getReadingChoices } from "../../store/users/mod.ts";
import { budgetsOfKey, type BudgetUse } from "./budget_use.ts";
import { chosenColumns, type ListColumn } from "./key_columns.ts";
import { type KeyQuery, type KeyRow, keyRows } from "./key_rows.ts";
import { tryLoad } from "../page/try_load.ts";
import { pageRowsOf } from "../page/page_rows.ts";
import type { AccountState } from "../session/state.ts";

/** A key in the list, with what its row tells. */
export interface KeyListRow extends KeyRow {
  /** Of its last days; undefined where it could not be read. */
  readonly counts?: Counts;
  /** Of the budget that is used most. */
  readonly budget?: BudgetUse;
  /** How its former secret was used since the rotation; absent once that ended. */
  readonly former?: FormerSecretUse;
}

export interface KeyList {
  readonly keys: readonly ApiKey[];
  /** Those of the page. */
  readonly rows: readonly KeyListRow[];
  /** How many the filter means, on all pages. */
  readonly found: number;
  readonly hasMore: boolean;
  readonly columns: readonly ListColumn[];
}

/** Of how many days a row tells the spend. */
export const keyListDays = 30;

const dayMs = 86_400_000;

/** The keys of the account that a query means, a page of them. */
export async function readKeyList(state: AccountState, query: KeyQuery): Promise<KeyList> {
  const { services: { store, directory }, account: { user }, nowMs } = state;
  const [keys, choices] = await Promise.all([
    listApiKeys(store, { accountId: user.id }),
    tryLoad(getReadingChoices(store, user.id)),
  ]);
  const budgets = await fullestBudgets(state, keys);
  const counts = query.column === "spend" ? await countsOf(store, keys, nowMs) : new Map();
  const moneyOf = ({ id }: ApiKey) => ({
    usedShare: budgets.get(id)?.share,
    costNanoUsd: counts.get(id)?.costNanoUsd,
  });
  const all = keyRows(keys, query, { groups: directory.groups(), nowMs, moneyOf });
  const pageRows = pageRowsOf(state.services);
  const shown = all.slice((query.page - 1) * pageRows, query.page * pageRows);
  const known = query.column === "spend"
    ? counts
    : await tryLoad(countsOf(store, shown.map(({ apiKey }) => apiKey), nowMs));
  const rows = await Promise.all(shown.map(async (row) => ({
    ...row,
    counts: known?.get(row.apiKey.id),
    budget: budgets.get(row.apiKey.id),
    former: await formerUse(store, row.apiKey, nowMs),
  })));
  return {
    keys,
    rows,
    found: all.length,
    hasMore: all.length > query.page * pageRows,
    columns: chosenColumns(choices?.keyColumns),
  };
}

/** The use of a secret that a rotation replaced, as long as it opens the key. */
export async function formerUse(
  store: Store,
  { previous }: ApiKey,
  nowMs: number,
): Promise<FormerSecretUse | undefined> {
  if (previous === undefined || previous.expiresAtMs <= nowMs) return undefined;
  return await tryLoad(getFormerSecretUse(store, previous.digest));
}

async function fullestBudgets(
  state: AccountState,
  keys: readonly ApiKey[],
): Promise<ReadonlyMap<string, BudgetUse>> {
  const bounded = keys.filter(({ budgets = [] }) => budgets.length > 0);
  const used = await Promise.all(bounded.map((key) => tryLoad(budgetsOfKey(state, key))));
  return new Map(bounded.flatMap(({ id }, at) => {
    const [fullest] = (used[at] ?? []).toSorted((a, b) => b.share - a.share);
    return fullest ? [[id, fullest] as const] : [];
  }));
}

/** Sums of whole days, the last of them today's. */
async function countsOf(
  store: Store,
  keys: readonly ApiKey[],
  nowMs: number,
): Promise<ReadonlyMap<string, Counts>> {
  await compactRows(store);
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  const period = { step: "day", fromMs: toMs - keyListDays * dayMs, toMs } as const;
  const found = await Promise.all(keys.map(async ({ id, accountId }) => {
    const points = await readCounts(store, subjects.key(id, accountId), period);
    return [id, points.reduce((sum, point) => addCounts(sum, point.sum), noCounts)] as const;
  }));
  return new Map(found);
}
