import type { Engine } from "./engine.ts";
import type { Store } from "./store.ts";

/** The maximum of Deno KV for one read. */
export const keysReadMax = 10;

/** Reads many keys, in order. */
export function getEntries(
  { kv }: Store,
  entryKeys: readonly Deno.KvKey[],
): Promise<Deno.KvEntryMaybe<unknown>[]> {
  return readInBatches(kv, entryKeys);
}

/** Reads many keys of a database, in order. */
export async function readInBatches(
  database: Pick<Engine, "getMany">,
  entryKeys: readonly Deno.KvKey[],
): Promise<Deno.KvEntryMaybe<unknown>[]> {
  const reads: Promise<Deno.KvEntryMaybe<unknown>[]>[] = [];
  for (let start = 0; start < entryKeys.length; start += keysReadMax) {
    reads.push(database.getMany(entryKeys.slice(start, start + keysReadMax)));
  }
  return (await Promise.all(reads)).flat();
}
