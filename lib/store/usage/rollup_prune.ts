import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { stepMs, stepOf } from "../log/log_time.ts";
import { firstKeys, subjectKeyOf } from "./rollup_scan.ts";

/**
 * The retention of hours: a year and a month, for comparisons with the previous year. Days are kept
 * forever.
 */
export const hoursKeptMs = 400 * stepMs.day;

const deletesPerCommit = 500;

/**
 * Deletes expired hours of rollups, once a day in one isolate. Returns the number of deleted sums;
 * undefined if another isolate has today's turn.
 */
export async function pruneRollups(store: Store, nowMs: number): Promise<number | undefined> {
  if (!await takeTurn(store, stepOf(nowMs, "day"))) return undefined;
  const beforeHour = stepOf(Math.max(nowMs - hoursKeptMs, 0), "hour");
  return await forgetHours(store, keys.rollup("hour"), beforeHour) +
    await forgetHours(store, keys.rollupTimes("hour"), beforeHour);
}

async function takeTurn(store: Store, today: string): Promise<boolean> {
  const entry = await store.kv.get<string>(keys.rollupsPruned);
  if (entry.value === today) return false;
  return (await store.kv.atomic().check(entry).set(entry.key, today).commit()).ok;
}

async function forgetHours(
  store: Store,
  prefix: Deno.KvKey,
  beforeHour: string,
): Promise<number> {
  let forgotten = 0;
  for await (const key of firstKeys(store, prefix)) {
    const subject = subjectKeyOf(key);
    const end = [...subject, beforeHour];
    const old = await Array.fromAsync(store.kv.list({ start: subject, end }, { batchSize: 500 }));
    for (let at = 0; at < old.length; at += deletesPerCommit) {
      const operation = store.kv.atomic();
      for (const { key } of old.slice(at, at + deletesPerCommit)) operation.delete(key);
      await operation.commit();
    }
    forgotten += old.length;
  }
  return forgotten;
}
