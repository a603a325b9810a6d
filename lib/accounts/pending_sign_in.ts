import { digestOf, type Store } from "../store/mod.ts";
import { getUser, type User } from "../store/users/mod.ts";

/** The time limit for the second step after a correct password. */
export const pendingLifetimeMs = 10 * 60 * 1_000;

interface Pending {
  readonly userId: string;
  /** Voids the proof when the password changes. */
  readonly passwordDigest: string;
  readonly expiresAtMs: number;
}

const context = "pending sign-in";

/** Seals the proof of a correct password; the browser returns it with the code. */
export function sealPending(store: Store, user: User, nowMs: number): Promise<string> {
  const pending: Pending = {
    userId: user.id,
    passwordDigest: digestOf(user.passwordHash ?? ""),
    expiresAtMs: nowMs + pendingLifetimeMs,
  };
  return store.secretBox.seal(JSON.stringify(pending), context);
}

/** Returns the user of a sealed proof; undefined if it has expired or no longer applies. */
export async function openPending(
  store: Store,
  sealed: string,
  nowMs: number,
): Promise<User | undefined> {
  const pending = await unsealed(store, sealed);
  if (pending === undefined || pending.expiresAtMs <= nowMs) return undefined;
  const user = await getUser(store, pending.userId);
  const same = digestOf(user?.passwordHash ?? "") === pending.passwordDigest;
  return user?.enabled && same ? user : undefined;
}

async function unsealed(store: Store, sealed: string): Promise<Pending | undefined> {
  try {
    return JSON.parse(await store.secretBox.open(sealed, context)); // sealed by us
  } catch {
    return undefined;
  }
}
