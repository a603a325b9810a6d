import type { Store } from "../../../lib/store/mod.ts";
import {
  addIncrement,
  packedName,
  packSums,
  sumsOfEntry,
} from "../../../lib/store/usage/rollup_counts.ts";

/** Adds an amount to one sum of a stored rollup, as no call does. `rollup` is its key without the last part. */
export async function addToSum(
  store: Store,
  rollup: Deno.KvKey,
  name: string,
  amount: bigint,
): Promise<void> {
  const key = [...rollup, packedName];
  const { value, versionstamp } = await store.kv.get(key);
  const sums = new Map(versionstamp === null ? [] : sumsOfEntry({ key, value, versionstamp }));
  addIncrement(sums, name, amount);
  await store.kv.set(key, packSums(sums));
}
