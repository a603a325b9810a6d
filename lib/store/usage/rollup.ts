import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { stepMs, stepOf, stepStartMs } from "../log/log_time.ts";
import { sessionName } from "../log/request_log_row.ts";
import {
  addIncrements,
  type Counts,
  countsFrom,
  noCounts,
  type Sums,
  sumsOfEntry,
  type Times,
  timesFrom,
} from "./rollup_counts.ts";
import {
  type RollupDimension,
  rollupKey,
  type RollupStep,
  type RollupSubject,
  rollupTimesKey,
  sessionHours,
  sessionOfValue,
} from "./rollup_subject.ts";

/** A period of whole UTC steps: from the step of its start to the step of its last moment. */
export interface RollupPeriod {
  readonly step: RollupStep;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/**
 * Consecutive parts of a period, each of whole UTC hours. Hours are kept for 400 days, so an older
 * period should consist of whole UTC days.
 */
export interface RollupParts {
  /** Ascending. */
  readonly startsMs: readonly [number, ...number[]];
  /** Exclusive. */
  readonly toMs: number;
}

/** The sum of one hour or day. */
export interface RollupPoint<Sum> {
  /** The start of the hour or day. */
  readonly atMs: number;
  readonly sum: Sum;
}

/** The entries that one read of a list takes. */
export const batchSize = 500;

/** Returns a subject's counts per step, in order, without empty steps. Does not compact first. */
export async function readCounts(
  store: Store,
  subject: RollupSubject,
  period: RollupPeriod,
): Promise<RollupPoint<Counts>[]> {
  return await readPoints(store, { key: rollupKey, read: countsFrom }, subject, period);
}

/**
 * Returns a subject's counts in consecutive parts of a period: each part begins at one of
 * `startsMs`, and the last ends at `toMs`. Does not compact first.
 */
export async function readPartCounts(
  store: Store,
  subject: RollupSubject,
  parts: RollupParts,
): Promise<readonly Counts[]> {
  const { startsMs, toMs } = parts;
  const isOfDays = [...startsMs, toMs].every((atMs) => atMs % stepMs.day === 0);
  const pastMs = Math.min(store.rollupCache.endMs(isOfDays ? "day" : "hour"), toMs);
  const [ended, recent] = await Promise.all([
    store.rollupCache.points(
      JSON.stringify([rollupKey("hour", subject, ""), startsMs, pastMs]),
      () => readPartSums(store, subject, parts, { fromMs: startsMs[0], toMs: pastMs }),
    ),
    readPartSums(store, subject, parts, { fromMs: Math.max(pastMs, startsMs[0]), toMs }),
  ]);
  return ended.map((sums, at) => countsOf(sums, recent[at]));
}

/** The counts of two sums; one and the same value for the many parts without calls. */
function countsOf(ended: Sums, recent: Sums): Counts {
  if (ended.size + recent.size === 0) return noCounts;
  if (recent.size === 0) return countsFrom(ended);
  const all: Sums = new Map(ended);
  addIncrements(all, recent);
  return countsFrom(all);
}

/** The sums of each part, of the hours within some time. */
async function readPartSums(
  store: Store,
  subject: RollupSubject,
  { startsMs, toMs }: RollupParts,
  within: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly Sums[]> {
  const sums = startsMs.map((): Sums => new Map());
  for (const { step, ...span } of stretchesOf([...startsMs, toMs], within)) {
    const selector = {
      start: rollupKey(step, subject, stepOf(span.fromMs, step)),
      end: rollupKey(step, subject, stepOf(span.toMs, step)),
    };
    for await (const entry of store.kv.list(selector, { batchSize })) {
      const atMs = stepStartMs(String(entry.key.at(-2)), step);
      addIncrements(sums[startsMs.findLastIndex((start) => start <= atMs)], sumsOfEntry(entry));
    }
  }
  return sums;
}

/** The stretches of days and of hours that cover parts: days wherever one is whole. */
function stretchesOf(
  bounds: readonly number[],
  within: { readonly fromMs: number; readonly toMs: number },
): readonly RollupPeriod[] {
  const clipped = bounds.map((atMs) => Math.min(Math.max(atMs, within.fromMs), within.toMs));
  const found = clipped.slice(1).flatMap((toMs, at) => hoursAndDays(clipped[at], toMs));
  return found.reduce<RollupPeriod[]>((joined, next) => {
    const last = joined.at(-1);
    const isNext = last?.step === next.step && last.toMs === next.fromMs;
    return isNext ? [...joined.slice(0, -1), { ...last, toMs: next.toMs }] : [...joined, next];
  }, []);
}

/** Splits a period into its whole UTC days and the hours before and after them. */
export function hoursAndDays(fromMs: number, toMs: number): RollupPeriod[] {
  const firstDayMs = Math.ceil(fromMs / stepMs.day) * stepMs.day;
  const lastDayMs = Math.floor(toMs / stepMs.day) * stepMs.day;
  const parts: RollupPeriod[] = firstDayMs < lastDayMs
    ? [
      { step: "hour", fromMs, toMs: firstDayMs },
      { step: "day", fromMs: firstDayMs, toMs: lastDayMs },
      { step: "hour", fromMs: lastDayMs, toMs },
    ]
    : [{ step: "hour", fromMs, toMs }];
  return parts.filter((part) => part.fromMs < part.toMs);
}

/** Returns a subject's durations per step, in order. Does not compact first. */
export async function readTimes(
  store: Store,
  subject: RollupSubject,
  period: RollupPeriod,
): Promise<RollupPoint<Times>[]> {
  return await readPoints(store, { key: rollupTimesKey, read: timesFrom }, subject, period);
}

/**
 * Lists the subjects of a dimension that ever had calls, without reading their sums: the keys of an
 * account, or the models of an account (of everyone if the scope is empty).
 */
export async function* listSubjects(
  store: Store,
  dimension: RollupDimension,
  scope: string,
): AsyncGenerator<RollupSubject> {
  const prefix = keys.rollup("day", dimension, scope);
  const read = () => Array.fromAsync(firstKeys(store, prefix), (key) => String(key[3]));
  for (const value of await store.subjectCache.values({ dimension, scope }, read)) {
    yield { dimension, scope, value };
  }
}

/** Lists the subjects of a dimension of all scopes, such as the keys of all accounts. */
export async function* listAllSubjects(
  store: Store,
  dimension: RollupDimension,
): AsyncGenerator<RollupSubject> {
  for await (const key of firstKeys(store, keys.rollup("day", dimension))) {
    const [, , scope, value] = key.map(String);
    yield { dimension, scope, value };
  }
}

/** The calls of one hour of a session, sub-agent, request class and model. */
export type SessionHour = ReturnType<typeof sessionOfValue> & RollupPoint<Counts>;

/**
 * Yields the hours of a session of a key, or of all of its sessions one after the other, each in no
 * particular order; nothing for a text that names no session.
 */
export async function* eachSessionHour(
  store: Store,
  keyId: string,
  id?: string,
): AsyncGenerator<SessionHour> {
  if (id !== undefined && !sessionName.test(id)) return;
  for await (const entry of store.kv.list(sessionHours(keyId, id), { batchSize })) {
    const [value, hour] = entry.key.slice(3).map(String);
    yield {
      ...sessionOfValue(value),
      atMs: stepStartMs(hour, "hour"),
      sum: countsFrom(new Map(sumsOfEntry(entry))),
    };
  }
}

/** The keys of one kind of sums, and how they are read. */
interface Reading<Sum> {
  readonly key: typeof rollupKey;
  readonly read: (sums: ReadonlyMap<string, bigint>) => Sum;
}

async function readPoints<Sum>(
  store: Store,
  reading: Reading<Sum>,
  subject: RollupSubject,
  period: RollupPeriod,
): Promise<RollupPoint<Sum>[]> {
  const { step, fromMs, toMs } = period;
  const pastMs = Math.min(store.rollupCache.endMs(step), toMs);
  if (pastMs <= fromMs) return await readSteps(store, reading, subject, period);
  const past = { ...period, toMs: pastMs };
  const [ended, recent] = await Promise.all([
    store.rollupCache.points(
      JSON.stringify([reading.key(step, subject, stepOf(fromMs, step)), pastMs]),
      () => readSteps(store, reading, subject, past),
    ),
    readSteps(store, reading, subject, { ...period, fromMs: pastMs }),
  ]);
  return [...ended, ...recent];
}

async function readSteps<Sum>(
  store: Store,
  { key, read }: Reading<Sum>,
  subject: RollupSubject,
  { step, fromMs, toMs }: RollupPeriod,
): Promise<RollupPoint<Sum>[]> {
  if (!(fromMs < toMs)) return [];
  const selector = {
    start: key(step, subject, stepOf(fromMs, step)),
    end: key(step, subject, stepOf(toMs - 1 + stepMs[step], step)),
  };
  const points: RollupPoint<Sum>[] = [];
  for await (const entry of store.kv.list(selector, { batchSize })) {
    const atMs = stepStartMs(String(entry.key.at(-2)), step);
    points.push({ atMs, sum: read(new Map(sumsOfEntry(entry))) });
  }
  return points;
}

/** The number of key parts that identify a subject: prefix, dimension, scope and value. */
const subjectKeyLength = 4;

/** Yields the first stored key of each subject under a prefix, by skipping from one to the next. */
export async function* firstKeys(store: Store, prefix: Deno.KvKey): AsyncGenerator<Deno.KvKey> {
  let start: Deno.KvKey | undefined;
  for (;;) {
    const key = await firstKey(store, start === undefined ? { prefix } : { prefix, start });
    if (key === undefined) return;
    yield key;
    const subject = subjectKeyOf(key);
    start = [...subject.slice(0, -1), `${String(subject.at(-1))}\0`]; // after all keys of that subject
  }
}

/** The parts of a rollup's key that all steps of its subject share. */
export function subjectKeyOf(key: Deno.KvKey): Deno.KvKey {
  return key.slice(0, subjectKeyLength);
}

async function firstKey(
  store: Store,
  selector: Deno.KvListSelector,
): Promise<Deno.KvKey | undefined> {
  for await (const { key } of store.kv.list(selector, { limit: 1 })) return key;
}
