import {
  type ApiKey,
  type FormerSecretUse,
  getFormerSecretUse,
  listApiKeys,
} from "../../store/api_keys/mod.ts";
import type { Store } from "../../store/mod.ts";
import { compactRows } from "../../store/settling/mod.ts";
import { addCounts, type Counts, noCounts, readCounts, subjects } from "../../store/usage/mod.ts";
import { getReadingChoices } from "../../store/users/mod.ts";
import {
  choice,
  defineList,
  type ListPage,
  listPage,
  type QueryOf,
  search,
  sortsByDetail,
  textField,
} from "../page/define_list.ts";
import { tryLoad } from "../page/try_load.ts";
import type { AccountState } from "../session/state.ts";
import { budgetsOfKey, type BudgetUse } from "./budget_use.ts";
import { chosenColumns, type ListColumn } from "./key_columns.ts";
import { type KeyStatus, keyStatuses, shownSecret, statusesOf } from "./key_status.ts";

/** A key in the list, with what its row shows. */
export interface KeyListRow {
  readonly apiKey: ApiKey;
  /** The statuses that apply; the first one is displayed. */
  readonly statuses: readonly [KeyStatus, ...KeyStatus[]];
  /** Sums of the last days; undefined if they could not be read. */
  readonly counts?: Counts;
  /** The budget with the largest used share. */
  readonly budget?: BudgetUse;
  /** Calls with the former secret; absent once its grace ended. */
  readonly former?: FormerSecretUse;
}

/** The keys of the account; ties are newest first. */
export const keyList = defineList<KeyListRow>()({
  path: "/console/token",
  fields: {
    q: search(({ apiKey }) => [`${apiKey.name} ${shownSecret(apiKey)}`]),
    status: choice(keyStatuses, ({ statuses }, status) => statuses.includes(status)),
    group: textField(({ apiKey }, id) => apiKey.groupId === id),
  },
  sort: {
    columns: {
      name: ({ apiKey }) => apiKey.name.toLowerCase(),
      created: ({ apiKey }) => apiKey.createdAtMs,
      used: ({ apiKey }) => apiKey.lastUsedAtMs ?? 0,
      expires: ({ apiKey }) => apiKey.expiresAtMs ?? Number.MAX_SAFE_INTEGER,
      spend: ({ counts }) => counts?.costNanoUsd ?? 0n,
    },
    usual: { column: "created", descending: true },
    descendingFirst: ["created", "used", "expires", "spend"],
    then: (a, b) => b.apiKey.createdAtMs - a.apiKey.createdAtMs,
    detailed: ["spend"],
  },
});

export interface KeyListPage extends ListPage<KeyListRow> {
  /** All keys of the account. */
  readonly keys: readonly ApiKey[];
  readonly columns: readonly ListColumn[];
}

/** The number of days that a row's spend and calls cover. */
export const keyListDays = 30;

const dayMs = 86_400_000;

export async function readKeyList(
  state: AccountState,
  query: QueryOf<typeof keyList>,
): Promise<KeyListPage> {
  const { services, account: { user }, nowMs } = state;
  const { store, directory } = services;
  const [keys, choices] = await Promise.all([
    listApiKeys(store, { accountId: user.id }),
    tryLoad(getReadingChoices(store, user.id)),
  ]);
  const budgets = await fullestBudgets(state, keys);
  const groups = directory.groups();
  const rows = keys.map((apiKey): KeyListRow => {
    const budget = budgets.get(apiKey.id);
    return {
      apiKey,
      statuses: statusesOf(apiKey, { groups, nowMs, usedShare: budget?.share }),
      budget,
    };
  });
  const counted = (some: readonly KeyListRow[]) => withCounts(store, some, nowMs);
  const page = await listPage(keyList, rows, {
    query,
    services,
    details: sortsByDetail(keyList, query)
      ? counted
      : async (some) => await tryLoad(counted(some)) ?? some,
  });
  const shown = await Promise.all(page.rows.map(async (row) => ({
    ...row,
    former: await formerUse(store, row.apiKey, nowMs),
  })));
  return { ...page, rows: shown, keys, columns: chosenColumns(choices?.keyColumns) };
}

/** Calls with the secret that a rotation replaced, while that secret still works. */
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

/** Adds the sums of whole days, the last of them today's. */
async function withCounts(
  store: Store,
  rows: readonly KeyListRow[],
  nowMs: number,
): Promise<readonly KeyListRow[]> {
  await compactRows(store);
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  const period = { step: "day", fromMs: toMs - keyListDays * dayMs, toMs } as const;
  return await Promise.all(rows.map(async (row) => {
    const points = await readCounts(
      store,
      subjects.key(row.apiKey.id, row.apiKey.accountId),
      period,
    );
    return { ...row, counts: points.reduce((sum, point) => addCounts(sum, point.sum), noCounts) };
  }));
}
