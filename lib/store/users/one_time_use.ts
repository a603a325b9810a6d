import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";

/**
 * Notes that something which may be used once was used. False where it was before: of any number
 * that race, exactly one gets true. The store forgets it after `lifetimeMs`.
 */
export async function useOnce(store: Store, digest: string, lifetimeMs: number): Promise<boolean> {
  const key = keys.oneTimeUse(digest);
  const { ok } = await store.kv.atomic()
    .check({ key, versionstamp: null })
    .set(key, true, { expireIn: Math.max(1, lifetimeMs) })
    .commit();
  return ok;
}
