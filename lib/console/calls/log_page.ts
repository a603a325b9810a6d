import { may, playgroundKeyId, playgroundKeyName } from "../../accounts/mod.ts";
import { type ApiKey, getApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import { lastArchivedDay } from "../../store/archive/mod.ts";
import {
  isLogCursor,
  listRequestLogs,
  type LogFilter,
  type RequestLogPage,
} from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { listSubjects, type RollupSubject } from "../../store/usage/mod.ts";
import { getReadingChoices, getUserByEmail, getUsers } from "../../store/users/mod.ts";
import { pageRowsOf } from "../page/define_list.ts";
import { tryLoad } from "../page/reading.ts";
import { readWho } from "../page/who.ts";
import type { AccountState } from "../session/state.ts";
import { filterOf, type LogSearch, readLogSearch } from "./log_search.ts";
import { keptSubject, keptSummary, rowsSummed, summaryOfRead } from "./usage_summary.ts";

const pageSizes = [50, 100, 200] as const;
/** Bounds the counts in an address. */
const countMax = 1e12;

/** Reads the search of an address, and looks up the account that it names by e-mail. */
export async function searchOf(fields: URLSearchParams, state: AccountState): Promise<LogSearch> {
  const { services: { store }, account: { user }, nowMs, timeZone } = state;
  const upstreams = may(user, "calls:read");
  const who = readWho(fields, state);
  const search = readLogSearch(fields, { nowMs, timeZone, upstreams, who });
  const { accountId } = search.filter;
  if (!accountId?.includes("@")) return search;
  const found = await getUserByEmail(store, accountId.toLowerCase());
  return found ? { ...search, filter: { ...search.filter, accountId: found.id } } : search;
}

/**
 * The data of a page of the log; undefined values could not be read. A search that reads rows stops
 * after a step, or once the signal aborts: the reader has left.
 */
export async function readLogPage(
  search: LogSearch,
  fields: URLSearchParams,
  { state, signal }: { readonly state: AccountState; readonly signal: AbortSignal },
) {
  const { services: { store, archive, config: { limits } }, account: { user } } = state;
  const text = fields.get("before") ?? "";
  const before = isLogCursor(text) ? text : undefined;
  const size = pageSizes.find((one) => String(one) === fields.get("size"));
  const limit = pageRowsOf(state.services, size);
  const { filter, indexed } = await ownedFilter(store, filterOf(search, user.id));
  const rowsRead = keptSubject(filter, state) ? limit : Math.max(limit, rowsSummed);
  const [read, kept, choices, reading, archivedDay] = await Promise.all([
    tryLoad(listRequestLogs(store, { ...indexed, before, limit: rowsRead }, {
      rowsMax: Infinity,
      ms: limits.logSearchMs,
      signal,
    })),
    tryLoad(keptSummary(store, filter, state)),
    logChoices(state, search),
    tryLoad(getReadingChoices(store, user.id)),
    archive && tryLoad(lastArchivedDay(store)),
  ]);
  const found = read && firstOf(read, limit);
  const isFirst = read !== undefined && before === undefined;
  const summary = kept ?? (isFirst
    ? await tryLoad(
      summaryOfRead(store, { rows: read.rows, more: read.next !== undefined }, {
        ...{ filter, indexed, reader: state },
      }),
    )
    : undefined);
  const accounts = search.everybody
    ? await accountNames(state, [
      ...found?.rows.map(({ accountId }) => accountId) ?? [],
      ...choices.keys.map(({ accountId }) => accountId),
      search.filter.accountId,
    ])
    : new Map<string, string>();
  const progress = found && progressOf(found, fields, limit);
  const views = reading?.logViews ?? [];
  return { before, found, progress, summary, choices, views, accounts, archivedDay };
}

/**
 * Adds a key's account, which has the rollups of the key. `indexed` finds the same calls without the
 * index of that account, because all calls of a key are of its account.
 */
async function ownedFilter(
  store: Store,
  filter: LogFilter,
): Promise<{ readonly filter: LogFilter; readonly indexed: LogFilter }> {
  const { keyId, accountId, ...others } = filter;
  const key = keyId === undefined ? undefined : await tryLoad(getApiKey(store, keyId));
  if (!key || (accountId ?? key.accountId) !== key.accountId) return { filter, indexed: filter };
  return { filter: { ...filter, accountId: key.accountId }, indexed: { ...others, keyId } };
}

/** The progress of a search that reads rows, over all of its steps. */
export interface SearchProgress {
  /** The calls that were searched, and those among them that match. */
  readonly searched: number;
  readonly found: number;
  /** The start of the oldest call that was searched. */
  readonly backToMs: number;
  /** True for a page that is not full: the search stopped at a bound or at its end. */
  readonly isStep: boolean;
}

/** Adds this step to the earlier ones, whose counts are in the address. */
function progressOf(
  { rows, searched, next }: RequestLogPage,
  fields: URLSearchParams,
  limit: number,
): SearchProgress | undefined {
  return searched && {
    searched: countIn(fields, "searched") + searched.rows,
    found: countIn(fields, "found") + rows.length,
    backToMs: searched.backToMs,
    isStep: next === undefined || rows.length < limit,
  };
}

function countIn(fields: URLSearchParams, name: string): number {
  const count = Number(fields.get(name));
  return count > 0 && count <= countMax ? Math.floor(count) : 0;
}

/** Cuts the rows to one page: more were read for the sums. */
function firstOf(page: RequestLogPage, limit: number): RequestLogPage {
  if (page.rows.length <= limit) return page;
  const [rows, cursors] = [page.rows.slice(0, limit), page.cursors.slice(0, limit)];
  return { ...page, rows, cursors, next: cursors[limit - 1] };
}

async function accountNames(
  { services: { store } }: AccountState,
  ids: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const known = [...new Set(ids)].filter((id) => id !== undefined);
  const users = await getUsers(store, known);
  return new Map(users.flatMap((user) => user ? [[user.id, user.email]] : []));
}

/** Maximum number of models and of keys that a filter offers; the address may name others. */
const choicesMax = 200;

/** The options of the log's filters, of one account or of everyone. */
async function logChoices(
  { services: { store, directory }, account: { user } }: AccountState,
  { everybody, filter }: LogSearch,
) {
  const accountId = everybody ? filter.accountId : user.id;
  const [keys, models] = await Promise.all([
    tryLoad(listApiKeys(store, { accountId })),
    tryLoad(modelsOf(store, accountId)),
  ]);
  const seesAll = may(user, "calls:read");
  const groupIds = seesAll
    ? directory.groups().map(({ id }) => id)
    : [...new Set((keys ?? []).map(({ groupId }) => groupId))];
  return {
    keys: [
      ...offered(keys ?? []),
      { id: playgroundKeyId(accountId ?? user.id), name: playgroundKeyName },
    ],
    lastFour: new Map((keys ?? []).map(({ id, lastFour }) => [id, lastFour])),
    models: models ?? [],
    groups: groupIds.sort(),
    ...(seesAll && {
      upstreams: directory.upstreams().map(({ id }) => id),
      projects: directory.projects().map(({ id }) => id),
    }),
  };
}

/** A key that a filter offers; the playground's has neither a secret nor an owner of its own. */
export type OfferedKey =
  & Pick<ApiKey, "id" | "name">
  & Partial<Pick<ApiKey, "lastFour" | "accountId">>;

/** The keys that were used last, by name. */
function offered(keys: readonly ApiKey[]): OfferedKey[] {
  return keys
    .toSorted((a, b) => (b.lastUsedAtMs ?? 0) - (a.lastUsedAtMs ?? 0))
    .slice(0, choicesMax)
    .map(({ id, name, lastFour, accountId }) => ({ id, name, lastFour, accountId }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

async function modelsOf(store: Store, accountId = ""): Promise<string[]> {
  const found: RollupSubject[] = [];
  for await (const subject of listSubjects(store, "model", accountId)) {
    if (found.push(subject) === choicesMax) break;
  }
  return found.map(({ value }) => value);
}
