import type { Store } from "../store/mod.ts";
import type { AuditDraft } from "../store/audit/mod.ts";
import { deletePasskey, deleteSessions, deleteTotp, listPasskeys } from "../store/users/mod.ts";

/**
 * Takes a user's codes and passkeys away and signs the user out, everywhere but in one session: for
 * who has lost them. The entry is written with the sessions' end, which comes last.
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
