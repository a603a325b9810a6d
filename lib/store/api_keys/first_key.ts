import { addApiKey, type ApiKey } from "./api_key.ts";
import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";

/**
 * At the very first start, and in one isolate only, stores the first API key; without a key it only
 * notes that the first start has been. Whether it did: later calls get false for good.
 */
export async function makeFirstKey(store: Store, apiKey: ApiKey | undefined): Promise<boolean> {
  const { value } = await store.kv.get(keys.firstKeyMade);
  if (value !== null) return false;
  const operation = store.kv.atomic()
    .check({ key: keys.firstKeyMade, versionstamp: null })
    .set(keys.firstKeyMade, true);
  if (apiKey !== undefined) addApiKey(operation, apiKey);
  return await store.commitChange(operation);
}
