import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { indexOfStored, listPages, pageTimeMs } from "./log_page.ts";

/** The time from which the log is complete, apart from expired rows. */
interface Kept {
  readonly retentionMs: number;
  readonly fromMs: number;
}

/**
 * Stores the current retention. If it was shorter before, older rows are missing although the new
 * retention would include them.
 */
export async function noteLogRetention(store: Store, nowMs: number): Promise<void> {
  const entry = await store.kv.get<Kept>(keys.logKept);
  const { logRetentionMs: retentionMs } = store;
  if (entry.value?.retentionMs === retentionMs) return;
  const fromMs = entry.value === null ? 0 : keptFrom(entry.value, nowMs);
  await store.kv.atomic().check(entry).set(keys.logKept, { retentionMs, fromMs }).commit(); // a concurrent writer notes the same value
}

/** Returns the time from which every call must be in the log. */
export async function logKeptFrom(store: Store, nowMs: number): Promise<number> {
  const { value } = await store.kv.get<Kept>(keys.logKept);
  return keptFrom({ fromMs: value?.fromMs ?? 0, retentionMs: store.logRetentionMs }, nowMs);
}

function keptFrom({ fromMs, retentionMs }: Kept, nowMs: number): number {
  return Math.max(fromMs, nowMs - retentionMs);
}

/** Notes that rows are stored without an expiry from now on, because they move to an archive. */
export async function noteUnexpiring(store: Store): Promise<void> {
  await store.kv.set(keys.logUnexpiring, true);
}

/**
 * Gives rows that were stored without an expiry that of other rows, once the store has no archive
 * any more. An interrupted run starts again. Returns the number of pages.
 */
export async function expirePages(store: Store, signal: AbortSignal): Promise<number> {
  const mark = await store.kv.get(keys.logUnexpiring);
  if (mark.value === null) return 0;
  let count = 0;
  for await (const page of listPages(store)) {
    if (signal.aborted) return count;
    if (await expirePage(store, page)) count++;
  }
  await store.kv.atomic().check(mark).delete(mark.key).commit();
  return count;
}

/** Returns false if the page was changed meanwhile. */
async function expirePage(store: Store, page: Deno.KvEntry<Uint8Array>): Promise<boolean> {
  const id = String(page.key.at(-1));
  const expireIn = pageTimeMs(id) + store.logRetentionMs - Date.now();
  const operation = store.kv.atomic().check(page);
  for (const { key, value } of [page, ...indexOfStored(id, page.value)]) {
    if (expireIn > 0) operation.set(key, value, { expireIn });
    else operation.delete(key);
  }
  return (await operation.commit()).ok;
}
