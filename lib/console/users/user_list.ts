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
  /** The number of those calls. */
  readonly calls: number;
  readonly keys: number;
  /** The distinct groups of the user's keys. */
  readonly groupIds: readonly string[];
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
      seen: ({ lastSeenAtMs }) => lastSeenAtMs,
    },
    usual: { column: "created", descending: false },
    descendingFirst: ["balance", "spent", "calls", "seen"],
    isFixed: true,
    detailed: ["balance", "spent", "calls", "seen"],
  },
});

const dayMs = 86_400_000;
const spentDays = 30;
/** The most users whose figures are read for sorting. */
const comparedUsers = 500;
const noFigures = {
  balanceNanoUsd: 0n,
  spentNanoUsd: 0n,
  calls: 0,
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
  const [users, keys] = await Promise.all([listUsers(store), listApiKeys(store)]);
  const keysOf = Map.groupBy(keys, ({ accountId }) => accountId);
  const rows = users.map((user): UserRow => ({
    user,
    ...noFigures,
    ...usedKeys(keysOf.get(user.id) ?? []),
  }));
  const found = filterRows(userList, rows, query);
  const isCut = sortsByDetail(userList, query) && found.length > comparedMax;
  const compared = isCut ? newest(found, comparedMax) : found;
  const details = (some: readonly UserRow[]) =>
    Promise.all(some.map(({ user }) => userRow(store, user, nowMs)));
  const page = await listPage(userList, compared, { query, services, details });
  const counts = { found: found.length, total: users.length };
  return { ...page, ...counts, ...(isCut && { compared: comparedMax }) };
}

function newest(rows: readonly UserRow[], count: number): readonly UserRow[] {
  return rows.toSorted((a, b) => b.user.createdAtMs - a.user.createdAtMs).slice(0, count);
}

function usedKeys(keys: readonly ApiKey[]): Pick<UserRow, "keys" | "groupIds"> {
  return { keys: keys.length, groupIds: [...new Set(keys.map(({ groupId }) => groupId))].sort() };
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
    calls: points.reduce((sum, point) => sum + point.sum.requests, 0),
    ...usedKeys(keys),
    lastSeenAtMs,
    sessions: sessions.length,
    hasCode: totp !== undefined,
    passkeys: passkeys.length,
  };
}
