import type { Store } from "../../store/mod.ts";
import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import { balanceOf } from "../../store/money/mod.ts";
import { readCounts, subjects } from "../../store/usage/mod.ts";
import {
  getLastSeen,
  getTotp,
  listPasskeys,
  listSessions,
  listUsers,
  type Role,
  type User,
} from "../../store/users/mod.ts";
import { listPath, pageField, readPageNumber, readText } from "../page/list_query.ts";

/** One user as the list shows it. Amounts are nano-dollars. */
export interface UserRow {
  readonly user: User;
  readonly balanceNanoUsd: bigint;
  /** What calls cost in the last 30 days, today (UTC) included. */
  readonly spentNanoUsd: bigint;
  /** How many calls were made in that time. */
  readonly calls: number;
  readonly keys: number;
  /** Those that the user's keys are in, each once. */
  readonly groupIds: readonly string[];
  /** Absent where the user has never signed in. */
  readonly lastSeenAtMs?: number;
  readonly sessions: number;
  /** Whether a code is asked for after the password. */
  readonly hasCode: boolean;
  readonly passkeys: number;
}

/** By what the list is ordered; the largest or latest first, addresses from A on. */
export const userSorts = ["created", "email", "balance", "spent", "calls", "seen"] as const;
export type UserSort = typeof userSorts[number];

export interface UserQuery {
  /** Part of an address, or an id. */
  readonly text?: string;
  readonly role?: Role;
  readonly status?: "enabled" | "disabled";
  /** Who has a key in this group. */
  readonly group?: string;
  readonly sort: UserSort;
  /** From 1 on. */
  readonly page: number;
}

const dayMs = 86_400_000;
const spentDays = 30;

export function readUserQuery(fields: URLSearchParams): UserQuery {
  const text = readText(fields, "q").toLowerCase();
  const role = (["administrator", "member"] as const).find((one) => one === fields.get("role"));
  const status = (["enabled", "disabled"] as const).find((one) => one === fields.get("status"));
  const group = readText(fields, "group");
  const sort = userSorts.find((one) => one === fields.get("sort")) ?? userSorts[0];
  const page = readPageNumber(fields);
  const filter = {
    ...(text && { text }),
    ...(role && { role }),
    ...(status && { status }),
    ...(group && { group }),
  };
  return { ...filter, sort, page };
}

/** The address of the same users, ordered so, from a page on. */
export function usersPath(
  { text, role, status, group, sort }: UserQuery,
  page = 1,
): string {
  return listPath("/console/admin/users", {
    q: text,
    role,
    status,
    group,
    sort: sort === userSorts[0] ? undefined : sort,
    page: pageField(page),
  });
}

/** Where users are read from, and how many of them a page shows. */
export interface UserRowsOptions {
  readonly store: Store;
  readonly nowMs: number;
  readonly pageRows: number;
  /** Of how many users figures are read to order them by; those made last count. */
  readonly comparedMax?: number;
}

const comparedUsers = 500;

/** A page of the users that a query means, and how many there are of them. */
export async function userRows(
  query: UserQuery,
  { store, nowMs, pageRows, comparedMax = comparedUsers }: UserRowsOptions,
) {
  const [users, keys] = await Promise.all([listUsers(store), listApiKeys(store)]);
  const keysOf = Map.groupBy(keys, ({ accountId }) => accountId);
  const found = users.filter((user) => isMeant(user, keysOf.get(user.id) ?? [], query));
  const [from, to] = [(query.page - 1) * pageRows, query.page * pageRows];
  const read = (user: User) => userRow(store, user, nowMs);
  const total = found.length;
  if (isOfUser(query.sort)) {
    const page = found.toSorted(byUser[query.sort]).slice(from, to);
    return { rows: await Promise.all(page.map(read)), total, hasMore: total > to };
  }
  const compared = total > comparedMax ? latest(found, comparedMax) : found;
  const rows = (await Promise.all(compared.map(read))).toSorted(byRow[query.sort]);
  return {
    rows: rows.slice(from, to),
    total,
    hasMore: compared.length > to,
    ...(compared.length < total && { compared: compared.length }),
  };
}

function latest(users: readonly User[], count: number): User[] {
  return users.toSorted((a, b) => b.createdAtMs - a.createdAtMs).slice(0, count);
}

function isMeant(
  { id, email, role, enabled }: User,
  keys: readonly ApiKey[],
  { text = "", ...query }: UserQuery,
): boolean {
  return (query.role === undefined || role === query.role) &&
    (query.status === undefined || enabled === (query.status === "enabled")) &&
    (query.group === undefined || keys.some(({ groupId }) => groupId === query.group)) &&
    (email.includes(text) || id === text);
}

/** What a user's own record says needs no reading of all the others' figures. */
const byUser = {
  created: (a: User, b: User) => a.createdAtMs - b.createdAtMs,
  email: (a: User, b: User) => a.email < b.email ? -1 : 1,
} as const;

const byRow = {
  balance: (a: UserRow, b: UserRow) => Number(b.balanceNanoUsd - a.balanceNanoUsd),
  spent: (a: UserRow, b: UserRow) => Number(b.spentNanoUsd - a.spentNanoUsd),
  calls: (a: UserRow, b: UserRow) => b.calls - a.calls,
  seen: (a: UserRow, b: UserRow) => (b.lastSeenAtMs ?? 0) - (a.lastSeenAtMs ?? 0),
} as const satisfies Record<Exclude<UserSort, keyof typeof byUser>, unknown>;

function isOfUser(sort: UserSort): sort is keyof typeof byUser {
  return Object.hasOwn(byUser, sort);
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
    keys: keys.length,
    groupIds: [...new Set(keys.map(({ groupId }) => groupId))].sort(),
    lastSeenAtMs,
    sessions: sessions.length,
    hasCode: totp !== undefined,
    passkeys: passkeys.length,
  };
}
