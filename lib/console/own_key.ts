import { HttpError } from "fresh";
import { type ApiKey, getApiKey } from "../store/mod.ts";
import type { AccountState } from "./state.ts";

/**
 * The key of an address, if it is the account's own and the console may change it. Another
 * account's key is as unknown as one that does not exist: `HttpError` 404. One that the
 * configuration declares: 403.
 */
export async function ownKey(id: string, state: AccountState): Promise<ApiKey> {
  const apiKey = id.length > 100 ? undefined : await getApiKey(state.services.store, id);
  if (apiKey?.accountId !== state.account.user.id) throw new HttpError(404);
  if (apiKey.origin !== "console") throw new HttpError(403);
  return apiKey;
}
