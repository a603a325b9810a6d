import { addAuditEntry, type AuditDraft } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { encodeRecord, getRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { addUser, defaultSpending, firstAccountId, type User } from "./user.ts";

/** A one-time right to become the first administrator. */
interface SetupLink {
  /** SHA-256 of the link's token, in hexadecimal. */
  readonly digest: string;
  readonly expiresAtMs: number;
}

const kind: Kind<SetupLink> = { name: "set-up link", version: 1 };

/** Returns a link, possibly one that has just expired: Deno KV deletes late. */
export function getSetupLink(store: Store, digest: string): Promise<SetupLink | undefined> {
  return getRecord(store, kind, keys.setupLink(digest));
}

export async function createSetupLink(
  store: Store,
  link: SetupLink,
  nowMs = Date.now(),
): Promise<void> {
  const expireIn = Math.max(1, link.expiresAtMs - nowMs);
  await store.kv.set(keys.setupLink(link.digest), encodeRecord(kind, link), { expireIn });
}

/**
 * Creates the first administrator and uses up the link, in one commit. Returns false if the link is
 * gone or there is an administrator already; true for only one of any concurrent callers.
 */
export async function redeemSetupLink(
  store: Store,
  digest: string,
  draft: Omit<User, "id" | "role" | "enabled" | "spending">,
  { audit }: { readonly audit?: (user: User) => AuditDraft } = {},
): Promise<boolean> {
  const entry = await store.kv.get(keys.setupLink(digest));
  if (entry.value === null) return false;
  const operation = store.kv.atomic().check(entry).delete(entry.key);
  const user: User = {
    ...draft,
    id: firstAccountId,
    role: "administrator",
    enabled: true,
    spending: defaultSpending(firstAccountId),
  };
  addAuditEntry(addUser(operation, user), audit?.(user));
  return await store.commitChange(operation);
}
