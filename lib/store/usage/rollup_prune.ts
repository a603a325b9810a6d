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
export const sessionsPerKeyMax = 1_000;

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

/** Deletes all sessions of a key but those used last. Callers can name any number in a day. */
async function forgetSurplusSessions(store: Store): Promise<number> {
  let forgotten = 0;
  let latest: SessionUse[] = [];
  for await (const use of sessionUses(store)) {
    const isOfOther = latest[0]?.keyId !== use.keyId;
    if (isOfOther || latest.length >= 2 * sessionsPerKeyMax) {
      forgotten += await forgetSurplus(store, latest);
    }
    if (isOfOther) latest = [];
    latest.push(use);
  }
  return forgotten + await forgetSurplus(store, latest);
}

/** The last hour in which a session of a key was used. */
interface SessionUse {
  readonly keyId: string;
  readonly id: string;
  readonly hour: string;
}

/** Yields each session once, those of a key in a row, as their sums are. */
async function* sessionUses(store: Store): AsyncGenerator<SessionUse> {
  let last: SessionUse | undefined;
  for await (const { key } of store.kv.list({ prefix: keys.rollup("hour", "session") })) {
    const [, , keyId, value, hour] = key.map(String);
    const { id } = sessionIn(value);
    const isSame = last?.keyId === keyId && last.id === id;
    if (last && !isSame) yield last;
    last = { keyId, id, hour: isSame && last && last.hour > hour ? last.hour : hour };
  }
  if (last) yield last;
}

/** Deletes the sessions that are too many, and leaves the others in `latest`. */
async function forgetSurplus(store: Store, latest: SessionUse[]): Promise<number> {
  latest.sort((a, b) => a.hour < b.hour ? 1 : -1);
  let forgotten = 0;
  for (const { keyId, id } of latest.splice(sessionsPerKeyMax)) {
    forgotten += await forget(store, sessionHours(keyId, id));
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
