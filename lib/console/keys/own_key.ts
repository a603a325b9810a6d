import { HttpError } from "fresh";
import { type ApiKey, getApiKey } from "../../store/api_keys/mod.ts";
import type { AccountState } from "../session/state.ts";

/** The key of an address, if it is the account's own. Another's is as unknown as none: `HttpError` 404. */
export async function readableKey(id: string, state: AccountState): Promise<ApiKey> {
  const apiKey = id.length > 100 ? undefined : await getApiKey(state.services.store, id);
  if (apiKey?.accountId !== state.account.user.id) throw new HttpError(404);
  return apiKey;
}

/** The same where the console may change it: one that the configuration declares is `HttpError` 403. */
export async function ownKey(id: string, state: AccountState): Promise<ApiKey> {
  const apiKey = await readableKey(id, state);
  if (apiKey.origin !== "console") throw new HttpError(403);
  return apiKey;
}
