import {
  isUnused,
  type KeyFilter,
  keyFilters,
  type KeyStatus,
  shownSecret,
  statusesOf,
} from "../../admin/keys/key_status.ts";
import {
  type ApiKey,
  type FormerSecretUse,
  getApiKey,
  getFormerSecretUse,
  listApiKeys,
} from "../../store/api_keys/mod.ts";
import { getChange, type Store } from "../../store/mod.ts";
import { compactRows } from "../../store/settling/mod.ts";
import {
  addCounts,
  type Counts,
  noCounts,
  readCounts,
  type RollupPeriod,
  subjects,
} from "../../store/usage/mod.ts";
import { getReadingChoices, listUsers } from "../../store/users/mod.ts";
import {
  defineList,
  filterRows,
  type ListPage,
  listPage,
  type QueryOf,
  sortsByDetail,
} from "../page/define_list.ts";
import { choice, option, search, textField } from "../page/list_fields.ts";
import { KeptRead, tryLoad } from "../page/reading.ts";
import { type Who, whos } from "../page/who.ts";
import type { AccountState } from "../session/state.ts";
import { type BudgetUse, fullestBudgets } from "./budget_use.ts";
import { chosenColumns, type ListColumn } from "./key_columns.ts";

/** A key in the list, with what its row shows. */
export interface KeyListRow {
  readonly apiKey: ApiKey;
  /** The owner's e-mail address; absent in a list of one account. */
  readonly owner?: string;
  /** The statuses that apply; the first one is displayed. */
  readonly statuses: readonly [KeyStatus, ...KeyStatus[]];
  /** True for a key without calls for 30 days. */
  readonly unused: boolean;
  /** Sums of the last days; undefined if they could not be read. */
  readonly counts?: Counts;
  /** The cost of each of these days in nano-dollars, oldest first. */
  readonly days?: readonly bigint[];
  /** The budget with the largest used share. */
  readonly budget?: BudgetUse;
  /** Calls with the former secret; absent once its grace ended. */
  readonly former?: FormerSecretUse;
}

/** The keys of the account or, for administrators, of all accounts; ties are newest first. */
export const keyList = defineList<KeyListRow>()({
  path: "/console/token",
  fields: {
    q: search(({ apiKey, owner = "" }) => [
      `${apiKey.name} ${shownSecret(apiKey)} ${owner} ${apiKey.id}`,
    ]),
    status: choice(
      keyFilters,
      ({ statuses, unused }, one) => one === "unused" ? unused : statuses.includes(one),
    ),
    group: textField(({ apiKey }, id) => apiKey.groupId === id),
    owner: textField(({ apiKey, owner }, text) => apiKey.accountId === text || owner === text),
    who: option(whos),
  },
  sort: {
    columns: {
      name: ({ apiKey }) => apiKey.name.toLowerCase(),
      owner: ({ owner }) => owner,
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
export type KeyQuery = QueryOf<typeof keyList>;

export interface KeyListPage extends ListPage<KeyListRow> {
  /** The groups of the keys, sorted. */
  readonly groupIds: readonly string[];
  /** The number of keys that each filter would show, beside the query's other fields. */
  readonly counts: ReadonlyMap<KeyFilter, number>;
  /** The number of keys without a filter by status. */
  readonly all: number;
  readonly columns: readonly ListColumn[];
  /** Set if only the keys that were used last are sorted by spend. */
  readonly compared?: number;
}

/** The number of days that a row's spend and calls cover. */
export const keyListDays = 30;

const dayMs = 86_400_000;
/** The number of keys from which a list of all accounts is kept in memory. */
const keptFrom = 200;
/** The most keys whose sums are read for sorting. */
const comparedMax = 200;
const allRows = new KeptRead<Store, readonly KeyListRow[]>(({ length }) => length > keptFrom);

export async function readKeyList(
  state: AccountState,
  query: KeyQuery,
  who: Who,
): Promise<KeyListPage> {
  const { services, account: { user } } = state;
  const [rows, choices] = await Promise.all([
    readKeyRows(state, who),
    tryLoad(getReadingChoices(services.store, user.id)),
  ]);
  const { status: _, ...fields } = query.fields;
  const others = filterRows(keyList, rows, { fields });
  const found = filterRows(keyList, others, query);
  const isCut = sortsByDetail(keyList, query) && found.length > comparedMax;
  const page = await listPage(keyList, isCut ? lastUsed(found, comparedMax) : found, {
    query,
    services,
    all: rows,
    details: (some) => withDetails(state, some, { isCurrent: rows.length <= keptFrom }),
  });
  return {
    ...page,
    found: found.length,
    groupIds: [...new Set(rows.map(({ apiKey }) => apiKey.groupId))].sort(),
    counts: countsOf(others),
    all: others.length,
    columns: chosenColumns(choices?.keyColumns, {
      hasGroups: services.directory.groups().length > 1,
    }),
    ...(isCut && { compared: comparedMax }),
  };
}

/** The rows of all keys that a query selects, in no order. */
export async function foundKeyRows(
  state: AccountState,
  query: KeyQuery,
  who: Who,
): Promise<readonly KeyListRow[]> {
  return filterRows(keyList, await readKeyRows(state, who), query);
}

/** The rows of an account's keys with their sums, the highest spend first. */
export async function keyRowsOf(
  state: AccountState,
  accountId: string,
): Promise<readonly KeyListRow[]> {
  const keys = await listApiKeys(state.services.store, { accountId });
  const used = keys.toSorted((a, b) => (b.lastUsedAtMs ?? 0) - (a.lastUsedAtMs ?? 0));
  const rows = await rowsOf(state, used.slice(0, comparedMax));
  const counted = await withCounts(state.services.store, rows, state.nowMs);
  const spent = ({ counts = noCounts }: KeyListRow) => counts.costNanoUsd;
  return counted.toSorted((a, b) => spent(b) > spent(a) ? 1 : spent(b) < spent(a) ? -1 : 0);
}

async function readKeyRows(state: AccountState, who: Who): Promise<readonly KeyListRow[]> {
  const { services: { store }, account: { user }, nowMs } = state;
  if (who === "mine") return await rowsOf(state, await listApiKeys(store, { accountId: user.id }));
  const read = async () => {
    const [keys, users] = await Promise.all([listApiKeys(store), listUsers(store)]);
    return await rowsOf(state, keys, new Map(users.map(({ id, email }) => [id, email])));
  };
  return await allRows.get(store, { version: await getChange(store), nowMs, read });
}

async function rowsOf(
  state: AccountState,
  keys: readonly ApiKey[],
  owners?: ReadonlyMap<string, string>,
): Promise<readonly KeyListRow[]> {
  const { services: { directory }, nowMs } = state;
  const budgets = await tryLoad(fullestBudgets(state, keys));
  const groups = directory.groups();
  return keys.map((apiKey): KeyListRow => {
    const budget = budgets?.get(apiKey.id);
    const owner = owners && (owners.get(apiKey.accountId) ?? apiKey.accountId);
    return {
      apiKey,
      ...(owner !== undefined && { owner }),
      statuses: statusesOf(apiKey, { groups, nowMs, usedShare: budget?.share }),
      unused: isUnused(apiKey, nowMs),
      budget,
    };
  });
}

function countsOf(rows: readonly KeyListRow[]): ReadonlyMap<KeyFilter, number> {
  const counts = new Map<KeyFilter, number>();
  for (const { statuses, unused } of rows) {
    const all: readonly KeyFilter[] = unused ? [...statuses, "unused"] : statuses;
    for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return counts;
}

function lastUsed(rows: readonly KeyListRow[], count: number): readonly KeyListRow[] {
  const usedAtMs = ({ apiKey }: KeyListRow) => apiKey.lastUsedAtMs ?? 0;
  return rows.toSorted((a, b) => usedAtMs(b) - usedAtMs(a)).slice(0, count);
}

/** Adds sums and the use of old secrets; reads the keys again if they are from memory. */
async function withDetails(
  state: AccountState,
  rows: readonly KeyListRow[],
  { isCurrent }: { readonly isCurrent: boolean },
): Promise<readonly KeyListRow[]> {
  const { services: { store }, nowMs } = state;
  const current = isCurrent ? rows : await Promise.all(rows.map((row) => readAgain(state, row)));
  const shown = current.filter((row) => row !== undefined);
  const counted = await tryLoad(withCounts(store, shown, nowMs)) ?? shown;
  return await Promise.all(counted.map(async (row) => ({
    ...row,
    former: await formerUse(store, row.apiKey, nowMs),
  })));
}

/** Undefined if the key was deleted meanwhile. */
async function readAgain(state: AccountState, row: KeyListRow): Promise<KeyListRow | undefined> {
  const apiKey = await getApiKey(state.services.store, row.apiKey.id);
  if (apiKey === undefined) return undefined;
  const [now] = await rowsOf(state, [apiKey]);
  return { ...row, ...now };
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

/** Adds the sums of whole days, the last of them today's. */
export async function withCounts(
  store: Store,
  rows: readonly KeyListRow[],
  nowMs: number,
): Promise<readonly KeyListRow[]> {
  await compactRows(store);
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  const period = { step: "day", fromMs: toMs - keyListDays * dayMs, toMs } as const;
  return await Promise.all(rows.map((row) => withCountsIn(store, row, period)));
}

async function withCountsIn(
  store: Store,
  row: KeyListRow,
  period: RollupPeriod,
): Promise<KeyListRow> {
  const subject = subjects.key(row.apiKey.id, row.apiKey.accountId);
  const points = await readCounts(store, subject, period);
  const costs = new Map(points.map(({ atMs, sum }) => [atMs, sum.costNanoUsd]));
  return {
    ...row,
    counts: points.reduce((sum, point) => addCounts(sum, point.sum), noCounts),
    days: Array.from(
      { length: keyListDays },
      (_, day) => costs.get(period.fromMs + day * dayMs) ?? 0n,
    ),
  };
}
