import type { Store } from "../store/mod.ts";
import { deleteApiKey, listApiKeys } from "../store/api_keys/mod.ts";
import type { AuditOptions } from "../store/audit/mod.ts";
import {
  deleteInvitations,
  deletePasskey,
  deleteSessions,
  deleteTotp,
  deleteUser,
  getUser,
  listPasskeys,
} from "../store/users/mod.ts";

/**
 * Deletes a user: from that commit on no key and no session of the user opens anything. Then what
 * the user had goes too, and so do further invitations to the address; should that break off, what is left opens nothing. Ledger, log and audit
 * log stay. False where there was none; throws `StoreError` for the first administrator.
 */
export async function removeUser(
  store: Store,
  id: string,
  options: AuditOptions = {},
): Promise<boolean> {
  const user = await getUser(store, id);
  if (!user || !await deleteUser(store, id, options)) return false;
  await deleteInvitations(store, user.email);
  await deleteSessions(store, id);
  const [keys, passkeys] = await Promise.all([
    listApiKeys(store, { accountId: id }),
    listPasskeys(store, id),
    deleteTotp(store, id),
  ]);
  for (const key of keys) await deleteApiKey(store, key.id, { by: key.origin });
  for (const passkey of passkeys) await deletePasskey(store, passkey);
  return true;
}
