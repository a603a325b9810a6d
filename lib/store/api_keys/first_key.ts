import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { addApiKey, type ApiKey } from "./api_key.ts";

/**
 * Stores the first API key at the very first start, in one isolate only. Without a key, it only
 * marks the first start as done. Returns true only for the call that did so.
 */
export async function storeFirstKey(store: Store, apiKey: ApiKey | undefined): Promise<boolean> {
  const { value } = await store.kv.get(keys.firstKeyMade);
  if (value !== null) return false;
  const operation = store.kv.atomic()
    .check({ key: keys.firstKeyMade, versionstamp: null })
    .set(keys.firstKeyMade, true);
  if (apiKey !== undefined) addApiKey(operation, apiKey);
  return await store.commitChange(operation);
}
