import { encodedRanges, keys } from "../keys.ts";
import { isFormer } from "./coded_kv.ts";
import { hasFormerValues, noteFormat } from "./format.ts";
import { isHead, setValue, storedBytes, wholeValues } from "./large_record.ts";
import { lifetimeOf } from "./lifetimes.ts";
import { runPass, type Step } from "./resumable.ts";
import type { Store } from "./store.ts";

type Entry = Deno.KvEntry<unknown>;

/** One commit checks up to 100 entries. */
const entriesAtOnceMax = 100;
/** The maximum of Deno KV. */
const valueBytesMax = 65_536;
/** Bounds one commit, which shares the store with commits that callers wait for. */
const commitBytesMax = 180 * 1024;

interface RewriteOptions {
  /** Retention of stored responses, whose values do not all state when they expire. */
  readonly retentionMs: number;
  readonly signal: AbortSignal;
}

/**
 * Rewrites the values of earlier releases, which a lower version of Deno may not be able to read,
 * and notes the store's format at the end. Once per store, in one isolate at a time; an interrupted
 * run continues. Each value is replaced only if nobody has changed it meanwhile. Returns the number
 * of rewritten values.
 */
export async function rewriteFormerValues(
  store: Store,
  { retentionMs, signal }: RewriteOptions,
): Promise<number> {
  if (!await hasFormerValues(store.kv)) return 0;
  const steps = encodedRanges.map((range) => (cursor: string) =>
    rewriteSome(store, range, { cursor, retentionMs })
  );
  const { count, isDone } = await runPass(store, { key: keys.valuesRewritten, steps, signal });
  if (isDone) await noteFormat(store.kv);
  return count;
}

async function rewriteSome(
  store: Store,
  range: Deno.KvListSelector,
  { cursor, retentionMs }: { readonly cursor: string; readonly retentionMs: number },
): Promise<Step> {
  const list = store.kv.list(range, { cursor, limit: entriesAtOnceMax });
  const entries = await Array.fromAsync(list);
  let count = 0;
  for (const former of commitsOf(entries.filter(isFormer))) {
    count += await rewrite(store, former, retentionMs);
  }
  return { cursor: entries.length === entriesAtOnceMax ? list.cursor : "", count };
}

/** Splits entries into runs that each fit into one commit. Leaves out values that have grown too large. */
function commitsOf(entries: readonly Entry[]): Entry[][] {
  const runs: Entry[][] = [];
  let bytes = Infinity;
  for (const entry of entries) {
    const size = storedBytes(entry.value);
    if (size > valueBytesMax && !isHead(entry.value)) continue; // it stays readable for this Deno
    if (bytes + size > commitBytesMax) {
      runs.push([]);
      bytes = 0;
    }
    runs.at(-1)?.push(entry);
    bytes += size;
  }
  return runs;
}

/**
 * Rewrites values in one commit, or each in its own if one of them was changed meanwhile. Returns
 * the number of rewritten values.
 */
async function rewrite(
  store: Store,
  entries: readonly Entry[],
  retentionMs: number,
): Promise<number> {
  const operation = store.kv.atomic();
  for (const entry of entries) await addRewritten(store, operation, { entry, retentionMs });
  if ((await operation.commit()).ok) return entries.length;
  if (entries.length === 1) return 0;
  let count = 0;
  for (const entry of entries) count += await rewrite(store, [entry], retentionMs);
  return count;
}

async function addRewritten(
  store: Store,
  operation: Deno.AtomicOperation,
  { entry, retentionMs }: { readonly entry: Entry; readonly retentionMs: number },
): Promise<void> {
  const { key, value } = entry;
  operation.check(entry);
  if (isHead(value)) {
    const [whole] = await wholeValues(store, [value]);
    if (whole !== undefined) setValue(operation, entry, Object(whole)); // otherwise the check fails
    return;
  }
  const expireIn = lifetimeOf(value, { key, retentionMs, nowMs: Date.now() });
  operation.set(key, value, expireIn === undefined ? {} : { expireIn });
}
