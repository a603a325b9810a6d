import type { ApiKey, Group } from "../store/mod.ts";

export const keyStatuses = ["active", "expiring", "expired", "disabled", "groupless"] as const;
export type KeyStatus = typeof keyStatuses[number];

const sortValues = {
  name: ({ name }) => name.toLowerCase(),
  created: ({ createdAtMs }) => createdAtMs,
  used: ({ lastUsedAtMs }) => lastUsedAtMs ?? 0,
  expires: ({ expiresAtMs }) => expiresAtMs ?? Number.MAX_SAFE_INTEGER,
} as const satisfies Record<string, (key: ApiKey) => string | number>;
export type KeyColumn = keyof typeof sortValues;

/** What the address of the list says: which keys, in which order. */
export interface KeyQuery {
  readonly text: string;
  readonly status?: KeyStatus;
  readonly column: KeyColumn;
  readonly descending: boolean;
}

export interface KeyRow {
  readonly apiKey: ApiKey;
  readonly status: KeyStatus;
}

const soonMs = 7 * 86_400_000;
const defaultSort = "-created";

/** Reads `?q=&status=&sort=`; what it does not know is as if it were not there. */
export function readKeyQuery(parameters: URLSearchParams): KeyQuery {
  const sort = parameters.get("sort") ?? defaultSort;
  const column = sort.replace(/^-/, "");
  const known = isColumn(column);
  return {
    text: (parameters.get("q") ?? "").trim().slice(0, 100),
    status: keyStatuses.find((status) => status === parameters.get("status")),
    column: known ? column : "created",
    descending: known ? sort.startsWith("-") : true,
  };
}

/** The address of the list for a query, without what is so anyway. */
export function keyListPath({ text, status, column, descending }: KeyQuery): string {
  const parameters = new URLSearchParams();
  if (text !== "") parameters.set("q", text);
  if (status !== undefined) parameters.set("status", status);
  const sort = `${descending ? "-" : ""}${column}`;
  if (sort !== defaultSort) parameters.set("sort", sort);
  return parameters.size === 0 ? "/console/token" : `/console/token?${parameters}`;
}

/** The query that a click on a column's head asks for: that column, or its other direction. */
export function sortedBy(query: KeyQuery, column: KeyColumn): KeyQuery {
  const descending = query.column === column ? !query.descending : column !== "name";
  return { ...query, column, descending };
}

export function statusOf(
  apiKey: ApiKey,
  groups: readonly Pick<Group, "id">[],
  nowMs: number,
): KeyStatus {
  const { enabled, expiresAtMs, groupId } = apiKey;
  if (!enabled) return "disabled";
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) return "expired";
  if (!groups.some(({ id }) => id === groupId)) return "groupless";
  return expiresAtMs !== undefined && expiresAtMs - nowMs <= soonMs ? "expiring" : "active";
}

/** The keys that a query asks for, in its order; equal ones newest first. */
export function keyRows(
  keys: readonly ApiKey[],
  query: KeyQuery,
  { groups, nowMs }: { readonly groups: readonly Pick<Group, "id">[]; readonly nowMs: number },
): KeyRow[] {
  const text = query.text.toLowerCase();
  const valueOf = sortValues[query.column];
  const sign = query.descending ? -1 : 1;
  return keys
    .map((apiKey) => ({ apiKey, status: statusOf(apiKey, groups, nowMs) }))
    .filter(({ status }) => query.status === undefined || status === query.status)
    .filter(({ apiKey }) => `${apiKey.name} ${shownSecret(apiKey)}`.toLowerCase().includes(text))
    .sort((a, b) =>
      sign * compare(valueOf(a.apiKey), valueOf(b.apiKey)) ||
      b.apiKey.createdAtMs - a.apiKey.createdAtMs
    );
}

/** What may be shown of a key's secret, such as `sk-4fR…x9Zk`. */
export function shownSecret(
  { prefix, lastFour }: Pick<ApiKey, "prefix" | "lastFour">,
): string {
  return `${prefix}…${lastFour}`;
}

function isColumn(text: string): text is KeyColumn {
  return Object.hasOwn(sortValues, text);
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
