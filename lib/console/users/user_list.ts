import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import type { Store } from "../../store/mod.ts";
import { balanceOf } from "../../store/money/mod.ts";
import { readCounts, subjects } from "../../store/usage/mod.ts";
import {
  getLastSeen,
  getTotp,
  listPasskeys,
  listSessions,
  listUsers,
  type User,
} from "../../store/users/mod.ts";
import {
  choice,
  containsText,
  defineList,
  filterRows,
  listPage,
  type QueryOf,
  sortsByDetail,
  textField,
} from "../page/define_list.ts";
import type { AccountState } from "../session/state.ts";
import { roles } from "./account_form.ts";

/** One user as the list shows it. Amounts are nano-dollars. */
export interface UserRow {
  readonly user: User;
  readonly balanceNanoUsd: bigint;
  /** Cost of the calls of the last 30 days, today (UTC) included. */
  readonly spentNanoUsd: bigint;
  /** The part of it of today. */
  readonly todayNanoUsd: bigint;
  /** The number of those calls. */
  readonly calls: number;
  /** The number of those that failed. */
  readonly failures: number;
  readonly keys: number;
  /** The distinct groups of the user's keys. */
  readonly groupIds: readonly string[];
  /** The last call with a key; absent without one. */
  readonly lastCallAtMs?: number;
  /** Absent for a user who has never signed in. */
  readonly lastSeenAtMs?: number;
  readonly sessions: number;
  /** True if signing in needs a one-time code after the password. */
  readonly hasCode: boolean;
  readonly passkeys: number;
}

/** All users; figures sort in descending order. */
export const userList = defineList<UserRow>()({
  path: "/console/admin/users",
  fields: {
    q: textField(({ user: { id, email } }, part) => containsText([email], part) || id === part),
    role: choice(roles, ({ user }, role) => user.role === role),
    status: choice(
      ["enabled", "disabled"],
      ({ user }, status) => user.enabled === (status === "enabled"),
    ),
    group: textField(({ groupIds }, id) => groupIds.includes(id)),
  },
  sort: {
    columns: {
      created: ({ user }) => user.createdAtMs,
      email: ({ user }) => user.email,
      balance: ({ balanceNanoUsd }) => balanceNanoUsd,
      spent: ({ spentNanoUsd }) => spentNanoUsd,
      calls: ({ calls }) => calls,
      called: ({ lastCallAtMs }) => lastCallAtMs,
    },
    usual: { column: "created", descending: false },
    descendingFirst: ["balance", "spent", "calls", "called"],
    isFixed: true,
    detailed: ["balance", "spent", "calls"],
  },
});

const dayMs = 86_400_000;
/** The number of days that calls and spend cover. */
export const spentDays = 30;
/** The most users whose figures are read for sorting. */
const comparedUsers = 500;
const noFigures = {
  balanceNanoUsd: 0n,
  spentNanoUsd: 0n,
  todayNanoUsd: 0n,
  calls: 0,
  failures: 0,
  sessions: 0,
  hasCode: false,
  passkeys: 0,
};

/** `compared` is set if only the newest users were sorted by a figure. */
export async function readUserList(
  { services, nowMs }: Pick<AccountState, "services" | "nowMs">,
  query: QueryOf<typeof userList>,
  comparedMax = comparedUsers,
) {
  const { store } = services;
  const rows = await userRows(store, query);
  const found = filterRows(userList, rows, query);
  const isCut = sortsByDetail(userList, query) && found.length > comparedMax;
  const compared = isCut ? newest(found, comparedMax) : found;
  const details = (some: readonly UserRow[]) =>
    Promise.all(some.map(({ user }) => userRow(store, user, nowMs)));
  const page = await listPage(userList, compared, { query, services, details });
  const counts = { found: found.length, total: rows.length };
  return { ...page, ...counts, ...(isCut && { compared: comparedMax }) };
}

function newest(rows: readonly UserRow[], count: number): readonly UserRow[] {
  return rows.toSorted((a, b) => b.user.createdAtMs - a.user.createdAtMs).slice(0, count);
}

/** The rows of all users that a query selects, without their figures. */
export async function foundUserRows(
  store: Store,
  query: QueryOf<typeof userList>,
): Promise<readonly UserRow[]> {
  return filterRows(userList, await userRows(store, query), query);
}

/** Reads all keys only for a query that selects or orders by them. */
async function userRows(
  store: Store,
  { fields, sort }: QueryOf<typeof userList>,
): Promise<readonly UserRow[]> {
  const byKeys = fields.group !== undefined || sort.column === "called";
  const [users, keys] = await Promise.all([listUsers(store), byKeys ? listApiKeys(store) : []]);
  const keysOf = Map.groupBy(keys, ({ accountId }) => accountId);
  return users.map((user) => ({ user, ...noFigures, ...usedKeys(keysOf.get(user.id) ?? []) }));
}

function usedKeys(
  keys: readonly ApiKey[],
): Pick<UserRow, "keys" | "groupIds" | "lastCallAtMs"> {
  const groupIds = [...new Set(keys.map(({ groupId }) => groupId))].sort();
  const lastCallAtMs = Math.max(...keys.map(({ lastUsedAtMs = 0 }) => lastUsedAtMs), 0);
  return { keys: keys.length, groupIds, ...(lastCallAtMs > 0 && { lastCallAtMs }) };
}

export async function userRow(store: Store, user: User, nowMs: number): Promise<UserRow> {
  const period = { step: "day", fromMs: nowMs - (spentDays - 1) * dayMs, toMs: nowMs + 1 } as const;
  const [balanceNanoUsd, points, sessions, lastSeenAtMs, totp, passkeys, keys] = await Promise.all([
    balanceOf(store, user.id),
    readCounts(store, subjects.account(user.id), period),
    listSessions(store, user.id),
    getLastSeen(store, user.id),
    getTotp(store, user.id),
    listPasskeys(store, user.id),
    listApiKeys(store, { accountId: user.id }),
  ]);
  const spentNanoUsd = points.reduce((sum, point) => sum + point.sum.costNanoUsd, 0n);
  return {
    user,
    balanceNanoUsd,
    spentNanoUsd,
    todayNanoUsd: points.findLast(({ atMs }) => atMs + dayMs > nowMs)?.sum.costNanoUsd ?? 0n,
    calls: points.reduce((sum, point) => sum + point.sum.requests, 0),
    failures: points.reduce((sum, point) => sum + point.sum.failures, 0),
    ...usedKeys(keys),
    lastSeenAtMs,
    sessions: sessions.length,
    hasCode: totp !== undefined,
    passkeys: passkeys.length,
  };
}
