import type { AuditDraft } from "../store/audit/mod.ts";
import { digestOf, type Store } from "../store/mod.ts";
import {
  createPasswordLink,
  deleteSessions,
  getPasswordLink,
  getUser,
  takePasswordLink,
  updateUser,
  type User,
} from "../store/users/mod.ts";
import { isMadeByAdministrator } from "./link_maker.ts";
import { type AccountDeps, passwordFault } from "./passwords.ts";
import { newToken } from "./token.ts";

/** The time from its making in which a link can be used. */
export const passwordLinkLifetimeMs = 24 * 60 * 60 * 1_000;

/**
 * Issues a link with which a user who lost the password sets a new one. Returns the link's token.
 */
export async function issuePasswordLink(
  store: Store,
  { user, createdBy, audit }: {
    readonly user: User;
    readonly createdBy: string;
    readonly audit?: AuditDraft;
  },
  nowMs: number,
): Promise<string> {
  const token = newToken();
  await createPasswordLink(store, {
    digest: digestOf(token),
    userId: user.id,
    createdBy,
    ...(user.passwordHash !== undefined && { passwordHash: user.passwordHash }),
    expiresAtMs: nowMs + passwordLinkLifetimeMs,
  }, { nowMs, audit });
  return token;
}

/**
 * Returns the user whose password a link sets; undefined if the link is used, expired or unknown,
 * the password has changed since, or its maker is no longer an administrator.
 */
export async function openPasswordLink(
  store: Store,
  token: string,
  nowMs: number,
): Promise<User | undefined> {
  const link = await getPasswordLink(store, digestOf(token));
  if (link === undefined || link.expiresAtMs <= nowMs) return undefined;
  if (!await isMadeByAdministrator(store, link)) return undefined;
  const user = await getUser(store, link.userId);
  return user?.enabled && user.passwordHash === link.passwordHash ? user : undefined;
}

/**
 * Sets the password and ends all sessions of the user; only one of concurrent calls succeeds. The
 * second step stays, so that the link alone does not sign anybody in. Returns undefined if the link
 * is no longer valid or the password is rejected.
 */
export async function redeemPasswordLink(
  { store, passwords, nowMs }: AccountDeps,
  { token, password, audit }: {
    readonly token: string;
    readonly password: string;
    readonly audit?: (user: User) => AuditDraft;
  },
): Promise<User | undefined> {
  if (passwordFault(password) !== undefined) return undefined;
  const user = await openPasswordLink(store, token, nowMs);
  if (user === undefined) return undefined;
  const passwordHash = await passwords.hash(password);
  if (!await takePasswordLink(store, digestOf(token))) return undefined;
  const change = (current: User) => ({ ...current, passwordHash });
  const saved = await updateUser(store, user.id, change, { audit: audit?.(user) });
  await deleteSessions(store, user.id);
  return saved;
}
