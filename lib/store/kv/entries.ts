import type { Store } from "./store.ts";

/** The maximum of Deno KV for one read. */
export const keysReadMax = 10;

/** Reads many keys, in order. */
export async function getEntries(
  store: Store,
  entryKeys: readonly Deno.KvKey[],
): Promise<Deno.KvEntryMaybe<unknown>[]> {
  const reads: Promise<Deno.KvEntryMaybe<unknown>[]>[] = [];
  for (let start = 0; start < entryKeys.length; start += keysReadMax) {
    reads.push(store.kv.getMany(entryKeys.slice(start, start + keysReadMax)));
  }
  return (await Promise.all(reads)).flat();
}
