import { deleteApiKey, listApiKeys } from "../store/api_keys/mod.ts";
import type { Store } from "../store/mod.ts";
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
} from "../store/users/mod.ts";

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
