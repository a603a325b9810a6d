import { HttpError } from "fresh";
import { type ApiKey, getApiKey } from "../../store/api_keys/mod.ts";
import type { AccountState } from "../session/state.ts";

/**
 * Returns the account's own key from the address. Throws `HttpError` 404 for anybody else's too, so
 * that ids reveal nothing.
 */
export async function readableKey(id: string, state: AccountState): Promise<ApiKey> {
  const apiKey = id.length > 100 ? undefined : await getApiKey(state.services.store, id);
  if (apiKey?.accountId !== state.account.user.id) throw new HttpError(404);
  return apiKey;
}

/** The same for a change: throws `HttpError` 403 for a declared key. */
export async function ownKey(id: string, state: AccountState): Promise<ApiKey> {
  const apiKey = await readableKey(id, state);
  if (apiKey.origin !== "console") throw new HttpError(403);
  return apiKey;
}
