import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";

/**
 * Records a one-time use. Returns false if it was used before; true for only one of any concurrent
 * callers. The record expires after `lifetimeMs`.
 */
export async function useOnce(store: Store, digest: string, lifetimeMs: number): Promise<boolean> {
  const key = keys.oneTimeUse(digest);
  const { ok } = await store.kv.atomic()
    .check({ key, versionstamp: null })
    .set(key, true, { expireIn: Math.max(1, lifetimeMs) })
    .commit();
  return ok;
}
