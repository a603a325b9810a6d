import { roles } from "../../accounts/mod.ts";
import { windowsText } from "../../admin/bounds.ts";
import { type CsvCell, decimalUsd } from "../../canonical/mod.ts";
import { type ApiKey, listAccountUses, listApiKeys } from "../../store/api_keys/mod.ts";
import type { Store } from "../../store/mod.ts";
import { getBalances } from "../../store/money/mod.ts";
import { type Counts, readPartCounts, type RollupParts, subjects } from "../../store/usage/mod.ts";
import {
  getLastSeen,
  type Invitation,
  listInvitations,
  listPasskeys,
  listSessions,
  listUsers,
  type User,
  usersWithTotp,
} from "../../store/users/mod.ts";
import {
  defineList,
  filterRows,
  listPage,
  type QueryOf,
  sortsByDetail,
} from "../page/define_list.ts";
import { completed, csvBudget, csvOf, csvTime } from "../page/download.ts";
import { choice, containsText, textField } from "../page/list_fields.ts";
import type { AccountState } from "../session/state.ts";

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
  /** The last call, with a key or in the playground; absent without one. */
  readonly lastCallAtMs?: number;
  /** True if signing in needs a one-time code after the password. */
  readonly hasCode: boolean;
  readonly passkeys: number;
}

/** One user with the use of the console, which the list does not show. */
export interface SeenUserRow extends UserRow {
  readonly sessions: number;
  /** Absent for a user who has never signed in. */
  readonly lastSeenAtMs?: number;
}

/** The value of the filter for users without a project; no project has this id. */
export const withoutProject = "-";

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
    project: textField(({ user: { projectId = withoutProject } }, id) => projectId === id),
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
const spentDays = 30;
/** The most users whose figures are read for sorting. */
const comparedUsers = 500;
const noFigures = {
  balanceNanoUsd: 0n,
  spentNanoUsd: 0n,
  todayNanoUsd: 0n,
  calls: 0,
  failures: 0,
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
  const rows = await userRows(store);
  const found = filterRows(userList, rows, query);
  const isCut = sortsByDetail(userList, query) && found.length > comparedMax;
  const compared = isCut ? newest(found, comparedMax) : found;
  const details = (some: readonly UserRow[]) => withFigures(store, some, nowMs);
  const page = await listPage(userList, compared, { query, services, all: rows, details });
  return { ...page, found: found.length, ...(isCut && { compared: comparedMax }) };
}

function newest(rows: readonly UserRow[], count: number): readonly UserRow[] {
  return rows.toSorted((a, b) => b.user.createdAtMs - a.user.createdAtMs).slice(0, count);
}

/** The rows of all users that a query selects, without their figures. */
export async function foundUserRows(
  store: Store,
  query: QueryOf<typeof userList>,
): Promise<readonly UserRow[]> {
  return filterRows(userList, await userRows(store), query);
}

async function userRows(store: Store): Promise<UserRow[]> {
  const [users, keys] = await Promise.all([listUsers(store), listApiKeys(store)]);
  const keysOf = Map.groupBy(keys, ({ accountId }) => accountId);
  const uses = await listAccountUses(store, users.map(({ id }) => id));
  return users.map((user, at) => ({
    user,
    ...noFigures,
    ...usedKeys(keysOf.get(user.id) ?? [], uses[at]),
  }));
}

/** `usedAtMs` is the account's last use other than by these keys. */
function usedKeys(
  keys: readonly ApiKey[],
  usedAtMs = 0,
): Pick<UserRow, "keys" | "groupIds" | "lastCallAtMs"> {
  const groupIds = [...new Set(keys.map(({ groupId }) => groupId))].sort();
  const lastCallAtMs = Math.max(...keys.map(({ lastUsedAtMs = 0 }) => lastUsedAtMs), usedAtMs);
  return { keys: keys.length, groupIds, ...(lastCallAtMs > 0 && { lastCallAtMs }) };
}

/** Reads balances and second steps of many users at once: one by one takes three times as long. */
async function withFigures(
  store: Store,
  rows: readonly UserRow[],
  nowMs: number,
): Promise<UserRow[]> {
  const ids = rows.map(({ user: { id } }) => id);
  const [balances, withCode, used, passkeys] = await Promise.all([
    getBalances(store, ids),
    usersWithTotp(store, ids),
    Promise.all(ids.map((id) => readPartCounts(store, subjects.account(id), spentParts(nowMs)))),
    Promise.all(ids.map((id) => listPasskeys(store, id))),
  ]);
  return rows.map((row, at) => ({
    ...row,
    balanceNanoUsd: balances[at].balanceNanoUsd,
    ...figuresOf(used[at]),
    hasCode: withCode.has(ids[at]),
    passkeys: passkeys[at].length,
  }));
}

function figuresOf([before, today]: readonly Counts[]) {
  return {
    spentNanoUsd: before.costNanoUsd + today.costNanoUsd,
    todayNanoUsd: today.costNanoUsd,
    calls: before.requests + today.requests,
    failures: before.failures + today.failures,
  };
}

/** Adds the figures and the use of the console to a row that `foundUserRows` returned. */
async function seenUserRow(
  store: Store,
  found: UserRow,
  nowMs: number,
): Promise<SeenUserRow> {
  const [[row], sessions, lastSeenAtMs] = await Promise.all([
    withFigures(store, [found], nowMs),
    listSessions(store, found.user.id),
    getLastSeen(store, found.user.id),
  ]);
  return { ...row, sessions: sessions.length, lastSeenAtMs };
}

export async function readUserRow(store: Store, user: User, nowMs: number): Promise<SeenUserRow> {
  const keys = await listApiKeys(store, { accountId: user.id });
  const [usedAtMs] = await listAccountUses(store, [user.id]);
  return await seenUserRow(store, { user, ...noFigures, ...usedKeys(keys, usedAtMs) }, nowMs);
}

/** The days that spend covers, in two parts: those before today (UTC), and today. */
function spentParts(nowMs: number): RollupParts {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  const startsMs = [todayMs - (spentDays - 1) * dayMs, todayMs] as const;
  return { startsMs, toMs: todayMs + dayMs };
}

/** The invitations that can still be accepted, the next to expire first. */
export async function openInvitations(
  { services: { store }, nowMs }: AccountState,
): Promise<readonly Invitation[]> {
  const open = (await listInvitations(store)).filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  return open.sort((a, b) => a.expiresAtMs - b.expiresAtMs);
}

const columns = {
  id: ({ user }) => user.id,
  email: ({ user }) => user.email,
  role: ({ user }) => user.role,
  enabled: ({ user }) => user.enabled,
  spending: ({ user }) => user.spending,
  project: ({ user }) => user.projectId,
  created: ({ user }) => csvTime(user.createdAtMs),
  last_seen: ({ lastSeenAtMs }) => csvTime(lastSeenAtMs),
  last_call: ({ lastCallAtMs }) => csvTime(lastCallAtMs),
  sessions: ({ sessions }) => sessions,
  one_time_codes: ({ hasCode }) => hasCode,
  passkeys: ({ passkeys }) => passkeys,
  keys: ({ keys }) => keys,
  groups: ({ groupIds }) => groupIds.join(" "),
  balance_usd: ({ balanceNanoUsd }) => decimalUsd(balanceNanoUsd),
  [`calls_${spentDays}d`]: ({ calls }) => calls,
  [`cost_usd_${spentDays}d`]: ({ spentNanoUsd }) => decimalUsd(spentNanoUsd),
  budget_day_usd: ({ user }) => csvBudget(user.budgets, "day"),
  budget_week_usd: ({ user }) => csvBudget(user.budgets, "week"),
  budget_month_usd: ({ user }) => csvBudget(user.budgets, "month"),
  budget_total_usd: ({ user }) => csvBudget(user.budgets, "total"),
  requests_per_minute: ({ user }) => user.limits?.requestsPerMinute,
  tokens_per_minute: ({ user }) => user.limits?.tokensPerMinute,
  requests_per_window: ({ user }) => windowsText(user.limits?.requestsPerWindow) || undefined,
  tokens_per_window: ({ user }) => windowsText(user.limits?.tokensPerWindow) || undefined,
  concurrency: ({ user }) => user.limits?.concurrency,
} as const satisfies Record<string, (row: SeenUserRow) => CsvCell>;

/** The number of users whose figures are read at once. */
const pieceRows = 50;

/** Users as CSV in pieces. Times are ISO 8601 in UTC, amounts exact decimal dollars. */
export function exportUsers(
  store: Store,
  rows: readonly UserRow[],
  nowMs: number,
): AsyncGenerator<string> {
  const seen = (some: readonly UserRow[]) =>
    Promise.all(some.map((row) => seenUserRow(store, row, nowMs)));
  return csvOf(columns, completed(rows, pieceRows, seen));
}
