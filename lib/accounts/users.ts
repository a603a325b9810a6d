import { hasHidden } from "../canonical/mod.ts";
import { deleteApiKey, listApiKeys } from "../store/api_keys/mod.ts";
import type { AuditDraft } from "../store/audit/mod.ts";
import { newId, type Store } from "../store/mod.ts";
import {
  deleteIdentity,
  deleteInvitations,
  deletePasskey,
  deleteSessions,
  deleteTotp,
  deleteUser,
  getUser,
  listIdentities,
  listPasskeys,
  updateUser,
  type User,
} from "../store/users/mod.ts";
import type { AccountDeps } from "./passwords.ts";
import { passwordFault } from "../config/password.ts";

const lengthMax = 254;

/** Normalizes an e-mail address for the store; undefined if it is malformed. Sends no mail to it. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  const isAddress = email.length <= lengthMax && /^[^\s@]+@[^\s@]+$/.test(email);
  return isAddress && !hasHidden(email) ? email : undefined;
}

/**
 * Makes an account without a password and without storing it. Returns undefined for a malformed
 * address.
 */
export function newAccount(
  { email: entered, ...settings }: Pick<User, "email" | "role" | "spending" | "budgets" | "limits">,
  nowMs: number,
): User | undefined {
  const email = readEmail(entered);
  if (email === undefined) return undefined;
  return { id: newId("usr"), email, ...settings, createdAtMs: nowMs, enabled: true };
}

type PasswordResult =
  | { readonly type: "saved"; readonly user: User }
  | { readonly type: "invalid"; readonly message: string };

/** Sets a password without checking the old one, and ends all other sessions. */
export async function setPassword(
  { store, passwords }: Pick<AccountDeps, "store" | "passwords">,
  userId: string,
  entered: {
    readonly password: string;
    /** The session to keep. */
    readonly sessionDigest?: string;
    readonly audit?: AuditDraft;
  },
): Promise<PasswordResult | undefined> {
  const fault = passwordFault(entered.password);
  if (fault !== undefined) return { type: "invalid", message: fault };
  const passwordHash = await passwords.hash(entered.password);
  const change = (current: User) => ({ ...current, passwordHash });
  const user = await updateUser(store, userId, change, { audit: entered.audit });
  if (user === undefined) return undefined;
  await deleteSessions(store, userId, { exceptDigest: entered.sessionDigest });
  return { type: "saved", user };
}

/**
 * Deletes a user. The first commit makes all keys, tokens and sessions of the user unusable; the user's
 * other records and the invitations to the address are deleted afterwards, and leftovers of an
 * interruption are harmless. Ledger, log and audit log stay. Returns false if there was no such
 * user; throws `StoreError` for the first administrator.
 */
export async function removeUser(
  store: Store,
  id: string,
  options: Parameters<typeof deleteUser>[2] = {},
): Promise<boolean> {
  const user = await getUser(store, id);
  if (!user || !await deleteUser(store, id, options)) return false;
  await deleteInvitations(store, user.email);
  await deleteSessions(store, id);
  const [keys, passkeys, identities] = await Promise.all([
    listApiKeys(store, { accountId: id }),
    listPasskeys(store, id),
    listIdentities(store, id),
    deleteTotp(store, id),
  ]);
  for (const key of keys) await deleteApiKey(store, key.id, { by: key.origin });
  for (const passkey of passkeys) await deletePasskey(store, passkey);
  for (const identity of identities) await deleteIdentity(store, identity);
  return true;
}
