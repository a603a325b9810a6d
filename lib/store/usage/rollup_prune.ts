import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { stepMs, stepOf } from "../log/log_time.ts";
import { sessionIn } from "../log/request_log_row.ts";
import { batchSize, firstKeys, subjectKeyOf } from "./rollup.ts";
import { sessionHours } from "./rollup_subject.ts";

/**
 * The retention of hours: a year and a month, for comparisons with the previous year. Days are kept
 * forever.
 */
export const hoursKeptMs = 400 * stepMs.day;

/** The retention of the sums of sessions, which have hours alone. */
const sessionsKeptMs = 30 * stepMs.day;

/** The sessions of a key that are kept from one day to the next. */
const sessionsPerKeyMax = 1_000;

const deletesPerCommit = 500;

/**
 * Deletes expired hours of rollups, once a day in one isolate. Returns the number of deleted sums;
 * undefined if another isolate has today's turn.
 */
export async function pruneRollups(store: Store, nowMs: number): Promise<number | undefined> {
  if (!await takeTurn(store, stepOf(nowMs, "day"))) return undefined;
  const hourBefore = (keptMs: number) => stepOf(Math.max(nowMs - keptMs, 0), "hour");
  const sessions = keys.rollup("hour", "session");
  let forgotten = await forgetHours(store, sessions, hourBefore(sessionsKeptMs));
  for (const prefix of [keys.rollup("hour"), keys.rollupTimes("hour")]) {
    forgotten += await forgetHours(store, prefix, hourBefore(hoursKeptMs));
  }
  return forgotten + await forgetSurplusSessions(store);
}

/** Deletes all sessions of a key but those used last. */
async function forgetSurplusSessions(store: Store): Promise<number> {
  const lastHours = new Map<string, Map<string, string>>();
  for await (const { key } of store.kv.list({ prefix: keys.rollup("hour", "session") })) {
    const [, , keyId, value, hour] = key.map(String);
    const { id } = sessionIn(value);
    const known = lastHours.getOrInsertComputed(keyId, () => new Map<string, string>());
    if (hour > (known.get(id) ?? "")) known.set(id, hour);
  }
  let forgotten = 0;
  for (const [keyId, sessions] of lastHours) {
    const latest = [...sessions].sort(([, a], [, b]) => a < b ? 1 : -1);
    for (const [id] of latest.slice(sessionsPerKeyMax)) {
      forgotten += await forget(store, sessionHours(keyId, id));
    }
  }
  return forgotten;
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
    const start = subjectKeyOf(key);
    forgotten += await forget(store, { start, end: [...start, beforeHour] });
  }
  return forgotten;
}

async function forget(store: Store, selector: Deno.KvListSelector): Promise<number> {
  const old = await Array.fromAsync(store.kv.list(selector, { batchSize }));
  for (let at = 0; at < old.length; at += deletesPerCommit) {
    const operation = store.kv.atomic();
    for (const { key } of old.slice(at, at + deletesPerCommit)) operation.delete(key);
    await operation.commit();
  }
  return old.length;
}
