import type { AuditDraft } from "../store/audit/mod.ts";
import { newId, type Store } from "../store/mod.ts";
import {
  createUser,
  defaultSpending,
  deleteSessions,
  type Role,
  updateUser,
  type User,
} from "../store/users/mod.ts";
import { readEmail } from "./email.ts";
import { passwordFault, type Passwords } from "./passwords.ts";

interface Accounts {
  readonly store: Store;
  readonly passwords: Passwords;
}

type UserResult =
  | { readonly type: "saved"; readonly user: User }
  | {
    readonly type: "invalid";
    readonly field: "email" | "password";
    readonly message: string;
  };

/** Throws `StoreError` with `already_exists` if the address has an account. */
export async function addAccount(
  { store, passwords }: Accounts,
  entered: { readonly email: string; readonly password: string; readonly role: Role },
  nowMs: number,
): Promise<UserResult> {
  const email = readEmail(entered.email);
  if (email === undefined) {
    return { type: "invalid", field: "email", message: "Enter an e-mail address" };
  }
  const fault = passwordFault(entered.password);
  if (fault !== undefined) return { type: "invalid", field: "password", message: fault };
  const id = newId("usr");
  const user: User = {
    id,
    email,
    role: entered.role,
    passwordHash: await passwords.hash(entered.password),
    createdAtMs: nowMs,
    enabled: true,
    spending: defaultSpending(id),
  };
  await createUser(store, user);
  return { type: "saved", user };
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

/** Sets a password without checking the old one, and ends all other sessions. */
export async function setPassword(
  { store, passwords }: Accounts,
  userId: string,
  entered: {
    readonly password: string;
    /** The session to keep. */
    readonly sessionDigest?: string;
    readonly audit?: AuditDraft;
  },
): Promise<UserResult | undefined> {
  const fault = passwordFault(entered.password);
  if (fault !== undefined) return { type: "invalid", field: "password", message: fault };
  const passwordHash = await passwords.hash(entered.password);
  const change = (current: User) => ({ ...current, passwordHash });
  const user = await updateUser(store, userId, change, { audit: entered.audit });
  if (user === undefined) return undefined;
  await deleteSessions(store, userId, { exceptDigest: entered.sessionDigest });
  return { type: "saved", user };
}
