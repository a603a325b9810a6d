import type { AuditDraft } from "../store/audit/mod.ts";
import type { Store } from "../store/mod.ts";
import { deletePasskey, deleteSessions, deleteTotp, listPasskeys } from "../store/users/mod.ts";

/**
 * Removes a user's one-time codes and passkeys, and ends all sessions but one. For users who have
 * lost them. The audit entry is in the commit that ends the sessions.
 */
export async function resetSecondStep(
  store: Store,
  userId: string,
  { audit, exceptDigest }: { readonly audit?: AuditDraft; readonly exceptDigest?: string } = {},
): Promise<void> {
  await deleteSessions(store, userId, { exceptDigest, audit }); // first: its commit holds the entry
  await deleteTotp(store, userId);
  for (const passkey of await listPasskeys(store, userId)) await deletePasskey(store, passkey);
}
