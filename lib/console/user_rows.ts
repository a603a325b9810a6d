import {
  balanceOf,
  getTotp,
  listPasskeys,
  listSessions,
  listUsers,
  readCounts,
  type Role,
  type Store,
  subjects,
  type User,
} from "../store/mod.ts";

/** One user as the list shows it. Amounts are nano-dollars. */
export interface UserRow {
  readonly user: User;
  readonly balanceNanoUsd: bigint;
  /** What calls cost in the last 30 days, today (UTC) included. */
  readonly spentNanoUsd: bigint;
  /** Absent where the user is signed in nowhere. */
  readonly lastSeenAtMs?: number;
  readonly sessions: number;
  /** Whether a code is asked for after the password. */
  readonly hasCode: boolean;
  readonly passkeys: number;
}

export interface UserQuery {
  /** Part of an address, or an id. */
  readonly text?: string;
  readonly role?: Role;
  /** From 1 on. */
  readonly page: number;
}

const pageRows = 50;
const dayMs = 86_400_000;
const spentDays = 30;

export function readUserQuery(fields: URLSearchParams): UserQuery {
  const text = fields.get("q")?.trim().slice(0, 100).toLowerCase();
  const role = (["administrator", "member"] as const).find((one) => one === fields.get("role"));
  const page = Number(/^[1-9]\d{0,5}$/.exec(fields.get("page") ?? "")?.[0] ?? 1);
  return { page, ...(text && { text }), ...(role && { role }) };
}

export function usersPath({ text, role }: UserQuery, page = 1): string {
  const fields = new URLSearchParams();
  if (text) fields.set("q", text);
  if (role) fields.set("role", role);
  if (page > 1) fields.set("page", String(page));
  return fields.size === 0 ? "/console/admin/users" : `/console/admin/users?${fields}`;
}

/** A page of the users that a query means, and how many there are of them. */
export async function userRows(store: Store, query: UserQuery, nowMs: number) {
  const { text = "", role, page } = query;
  const found = (await listUsers(store)).filter((user) =>
    (role === undefined || user.role === role) && (user.email.includes(text) || user.id === text)
  );
  const shown = found.slice((page - 1) * pageRows, page * pageRows);
  const rows = await Promise.all(shown.map((user) => userRow(store, user, nowMs)));
  return { rows, total: found.length, hasMore: found.length > page * pageRows };
}

export async function userRow(store: Store, user: User, nowMs: number): Promise<UserRow> {
  const period = { step: "day", fromMs: nowMs - (spentDays - 1) * dayMs, toMs: nowMs + 1 } as const;
  const [balanceNanoUsd, points, sessions, totp, passkeys] = await Promise.all([
    balanceOf(store, user.id),
    readCounts(store, subjects.account(user.id), period),
    listSessions(store, user.id),
    getTotp(store, user.id),
    listPasskeys(store, user.id),
  ]);
  const spentNanoUsd = points.reduce((sum, point) => sum + point.sum.costNanoUsd, 0n);
  return {
    user,
    balanceNanoUsd,
    spentNanoUsd,
    lastSeenAtMs: sessions[0]?.lastSeenAtMs,
    sessions: sessions.length,
    hasCode: totp !== undefined,
    passkeys: passkeys.length,
  };
}
