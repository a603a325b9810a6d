import type { ApiKey } from "../../store/api_keys/mod.ts";
import type { Group } from "../../store/catalog/mod.ts";
import {
  listPath,
  pageField,
  readPageNumber,
  readSort,
  readText,
  type Sort,
  sortField,
} from "../page/list_query.ts";

/** How a key stands; of several that apply, the first is shown. */
export const keyStatuses = [
  "disabled",
  "expired",
  "groupless",
  "exhausted",
  "near",
  "expiring",
  "active",
] as const;
export type KeyStatus = typeof keyStatuses[number];

/** What is known of a key's money when the list is made. */
export interface KeyMoney {
  /** What its fullest budget has left, as a share of it. */
  readonly usedShare?: number;
  /** In the days that the list tells of. */
  readonly costNanoUsd?: bigint;
}

type SortValue = string | number | bigint;

const sortValues = {
  name: ({ name }) => name.toLowerCase(),
  created: ({ createdAtMs }) => createdAtMs,
  used: ({ lastUsedAtMs }) => lastUsedAtMs ?? 0,
  expires: ({ expiresAtMs }) => expiresAtMs ?? Number.MAX_SAFE_INTEGER,
  spend: (_, { costNanoUsd = 0n }) => costNanoUsd,
} as const satisfies Record<string, (key: ApiKey, money: KeyMoney) => SortValue>;
export type KeyColumn = keyof typeof sortValues;
const keyColumns = Object.keys(sortValues) as KeyColumn[]; // its own keys

/** What the address of the list says: which keys, in which order. */
export interface KeyQuery extends Sort<KeyColumn> {
  readonly text: string;
  readonly status?: KeyStatus;
  readonly groupId?: string;
  /** From 1 on. */
  readonly page: number;
}

export interface KeyRow {
  readonly apiKey: ApiKey;
  readonly status: KeyStatus;
}

const soonMs = 7 * 86_400_000;
const nearShare = 0.8;
const usualSort: Sort<KeyColumn> = { column: "created", descending: true };

/** Reads `?q=&status=&group=&sort=&page=`; what it does not know is as if it were not there. */
export function readKeyQuery(fields: URLSearchParams): KeyQuery {
  return {
    text: readText(fields, "q"),
    status: keyStatuses.find((status) => status === fields.get("status")),
    groupId: readText(fields, "group") || undefined,
    ...readSort(fields, keyColumns, usualSort),
    page: readPageNumber(fields),
  };
}

/** The address of the list for a query, without what is so anyway. */
export function keyListPath(query: KeyQuery): string {
  const { text, status, groupId, page } = query;
  return listPath("/console/token", {
    q: text,
    status,
    group: groupId,
    sort: sortField(query, usualSort),
    page: pageField(page),
  });
}

/** How a key stands first of all. */
export function statusOf(
  apiKey: ApiKey,
  groups: readonly Pick<Group, "id">[],
  nowMs: number,
  money: KeyMoney = {},
): KeyStatus {
  const holding = statusesOf(apiKey, { groups, nowMs, money });
  return keyStatuses.find((status) => holding.has(status)) ?? "active";
}

interface Standing {
  readonly groups: readonly Pick<Group, "id">[];
  readonly nowMs: number;
  readonly money: KeyMoney;
}

/** Everything that holds of a key. */
function statusesOf(
  { enabled, expiresAtMs = Infinity, groupId }: ApiKey,
  { groups, nowMs, money: { usedShare = 0 } }: Standing,
): ReadonlySet<KeyStatus> {
  const holds: Readonly<Record<KeyStatus, boolean>> = {
    disabled: !enabled,
    expired: expiresAtMs <= nowMs,
    groupless: !groups.some(({ id }) => id === groupId),
    exhausted: usedShare >= 1,
    near: usedShare >= nearShare && usedShare < 1,
    expiring: expiresAtMs > nowMs && expiresAtMs - nowMs <= soonMs,
    active: false,
  };
  const found = keyStatuses.filter((status) => holds[status]);
  const works = !holds.disabled && !holds.expired && !holds.groupless && !holds.exhausted;
  return new Set(works ? [...found, "active"] : found);
}

/** The keys that a query asks for, in its order, whatever its page; equal ones newest first. */
export function keyRows(
  keys: readonly ApiKey[],
  query: KeyQuery,
  { groups, nowMs, moneyOf = () => ({}) }: {
    readonly groups: readonly Pick<Group, "id">[];
    readonly nowMs: number;
    readonly moneyOf?: (apiKey: ApiKey) => KeyMoney;
  },
): KeyRow[] {
  const text = query.text.toLowerCase();
  const valueOf = sortValues[query.column];
  const sign = query.descending ? -1 : 1;
  return keys
    .map((apiKey) => {
      const money = moneyOf(apiKey);
      return { apiKey, money, holding: statusesOf(apiKey, { groups, nowMs, money }) };
    })
    .filter(({ holding }) => query.status === undefined || holding.has(query.status))
    .filter(({ apiKey }) => query.groupId === undefined || apiKey.groupId === query.groupId)
    .filter(({ apiKey }) => `${apiKey.name} ${shownSecret(apiKey)}`.toLowerCase().includes(text))
    .sort((a, b) =>
      sign * compare(valueOf(a.apiKey, a.money), valueOf(b.apiKey, b.money)) ||
      b.apiKey.createdAtMs - a.apiKey.createdAtMs
    )
    .map(({ apiKey, holding }) => ({
      apiKey,
      status: keyStatuses.find((status) => holding.has(status)) ?? "active",
    }));
}

/** What may be shown of a key's secret, such as `sk-4fR…x9Zk`. */
export function shownSecret(
  { prefix, lastFour }: Pick<ApiKey, "prefix" | "lastFour">,
): string {
  return `${prefix}…${lastFour}`;
}

function compare(a: SortValue, b: SortValue): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
