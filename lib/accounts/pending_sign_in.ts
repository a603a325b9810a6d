import { digestOf, type Store } from "../store/mod.ts";
import { getUser, type User } from "../store/users/mod.ts";

/** How long a right password waits for its second step. */
export const pendingLifetimeMs = 10 * 60 * 1_000;

interface Pending {
  readonly userId: string;
  /** With another password it holds no more. */
  readonly passwordDigest: string;
  readonly expiresAtMs: number;
}

const context = "pending sign-in";

/** What a browser brings back with its code: that the password was right, sealed. */
export function sealPending(store: Store, user: User, nowMs: number): Promise<string> {
  const pending: Pending = {
    userId: user.id,
    passwordDigest: digestOf(user.passwordHash ?? ""),
    expiresAtMs: nowMs + pendingLifetimeMs,
  };
  return store.secretBox.seal(JSON.stringify(pending), context);
}

/** Who has entered the password; undefined where that was too long ago or is no longer so. */
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
    return JSON.parse(await store.secretBox.open(sealed, context)); // what opens was sealed here
  } catch {
    return undefined;
  }
}
