import type { AuditDraft } from "../store/audit/mod.ts";
import { digestOf, type Store } from "../store/mod.ts";
import {
  createPasswordLink,
  deleteSessions,
  type FoundLink,
  getPasswordLink,
  type MadeBy,
  setPasswordByLink,
  type User,
} from "../store/users/mod.ts";
import type { AccountDeps } from "./passwords.ts";
import { passwordFault } from "../config/password.ts";
import { mayLetIn } from "./permissions.ts";
import { newToken } from "./secrets.ts";

/** The time from its making in which a link can be used. */
export const passwordLinkLifetimeMs = 24 * 60 * 60 * 1_000;

/**
 * Issues a link with which a user who lost the password sets a new one; an earlier link ends. Returns
 * the link's token.
 */
export async function issuePasswordLink(
  store: Store,
  { user, audit, ...made }: MadeBy & { readonly user: User; readonly audit?: AuditDraft },
  nowMs: number,
): Promise<string> {
  const token = newToken();
  await createPasswordLink(store, {
    digest: digestOf(token),
    userId: user.id,
    ...made,
    ...(user.passwordHash !== undefined && { passwordHash: user.passwordHash }),
    expiresAtMs: nowMs + passwordLinkLifetimeMs,
  }, { nowMs, audit });
  return token;
}

/**
 * Returns the user whose password a link sets; undefined if the link is used, expired, replaced or
 * unknown, the user was promoted or the password has changed since, or its maker may no longer let
 * the user in.
 */
export async function openPasswordLink(
  store: Store,
  token: string,
  nowMs: number,
): Promise<User | undefined> {
  const found = await getPasswordLink(store, digestOf(token));
  return found && holds(found, nowMs) ? found.user : undefined;
}

function holds({ link, user, maker }: FoundLink, nowMs: number): boolean {
  return link.expiresAtMs > nowMs && user.enabled && user.passwordHash === link.passwordHash &&
    mayLetIn(maker, user.role, nowMs);
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
  const saved = await setPasswordByLink(store, digestOf(token), {
    passwordHash,
    holds: (found) => holds(found, nowMs),
    audit: audit?.(user),
  });
  if (saved !== undefined) await deleteSessions(store, user.id);
  return saved;
}
