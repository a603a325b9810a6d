import { HttpError } from "fresh";
import { may } from "../../accounts/mod.ts";
import { type ApiKey, getApiKey } from "../../store/api_keys/mod.ts";
import type { User } from "../../store/users/mod.ts";
import type { AccountState } from "../session/state.ts";

/** True for the own keys of a user, and for an administrator any account's. */
export function mayManage(
  { account: { user } }: { readonly account: { readonly user: User } },
  { accountId }: Pick<ApiKey, "accountId">,
): boolean {
  return may(user, accountId === user.id ? "own:write" : "keys:write");
}

/**
 * Returns the key from the address: the reader's own or, for a role that reads keys, any account's.
 * Throws `HttpError` 404 for all others, so that ids reveal nothing.
 */
export async function readableKey(id: string, state: AccountState): Promise<ApiKey> {
  const { services: { store }, account: { user } } = state;
  const apiKey = id.length > 100 ? undefined : await getApiKey(store, id);
  const isReadable = apiKey?.accountId === user.id || may(user, "keys:read");
  if (apiKey === undefined || !isReadable) throw new HttpError(404);
  return apiKey;
}

/** The same for a change: throws `HttpError` 403 for a declared key. */
export async function changeableKey(id: string, state: AccountState): Promise<ApiKey> {
  const apiKey = await readableKey(id, state);
  if (!mayManage(state, apiKey)) throw new HttpError(404);
  if (apiKey.origin !== "console") throw new HttpError(403);
  return apiKey;
}

/** The same for a new secret: throws `HttpError` 403 for a device, which refreshes its own. */
export async function rotatableKey(id: string, state: AccountState): Promise<ApiKey> {
  const apiKey = await changeableKey(id, state);
  if (apiKey.device) throw new HttpError(403);
  return apiKey;
}

/** The reader's own key: throws `HttpError` 404 for an administrator, too, if it is another's. */
export async function ownKey(id: string, state: AccountState): Promise<ApiKey> {
  const apiKey = await readableKey(id, state);
  if (apiKey.accountId !== state.account.user.id) throw new HttpError(404);
  return apiKey;
}
