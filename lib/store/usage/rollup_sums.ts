import type { AtomicOperation } from "../kv/database.ts";
import { readInBatches } from "../kv/engine.ts";
import type { Store } from "../kv/store.ts";
import { dayOfHour, stepOf } from "../log/log_time.ts";
import { type RequestLogRow, sessionText } from "../log/request_log_row.ts";
import {
  addCountsOfRow,
  addIncrements,
  addTimesOfRow,
  packedName,
  packSums,
  type Sums,
  sumsOfEntry,
} from "./rollup_counts.ts";
import {
  areSubjectsEqual,
  type CountedFor,
  countedKey,
  countedOf,
  hasTimes,
  isOfSession,
  rollupKey,
  type RollupSubject,
  rollupTimesKey,
  sessionSubject,
  subjectsOf,
} from "./rollup_subject.ts";

/** Sums of the calls of one hour in UTC, such as `2026-11-21T08`. */
interface Summed {
  readonly hour: string;
  readonly counts: Sums;
  readonly times: Sums;
}

/** Sums of calls with the same subjects. */
export interface CallSum extends Summed {
  readonly counted: CountedFor;
}

/** Sums of the calls of one subject. */
export interface HourSum extends Summed {
  readonly subject: RollupSubject;
}

/** Sums by the subject and hour that they belong to. */
export type HourSums = Map<string, HourSum>;

/** Sums rows, grouped by their subjects. Most rows have the subjects of the one before. */
export function callSumsOf(rows: readonly RequestLogRow[]): CallSum[] {
  const found = new Map<string, CallSum>();
  let last: { readonly row: RequestLogRow; readonly sum: CallSum } | undefined;
  for (const row of rows) {
    const hour = stepOf(row.atMs, "hour");
    const isLikeLast = last?.sum.hour === hour && areSubjectsEqual(last.row, row);
    if (!last || !isLikeLast) last = { row, sum: callSumOf(found, row, hour) };
    addCountsOfRow(last.sum.counts, row);
    addTimesOfRow(last.sum.times, row);
  }
  return [...found.values()];
}

function callSumOf(found: Map<string, CallSum>, row: RequestLogRow, hour: string): CallSum {
  return found.getOrInsertComputed(
    `${hour} ${countedKey(row)}`,
    () => ({ counted: countedOf(row), hour, counts: new Map(), times: new Map() }),
  );
}

/** Sums rows by their sessions, apart from their other subjects: most calls share those. */
export function sessionSumsOf(rows: readonly RequestLogRow[]): HourSum[] {
  const sums: HourSums = new Map();
  for (const row of rows) {
    const subject = sessionSubject(row);
    if (subject === undefined) continue;
    const counts: Sums = new Map();
    addCountsOfRow(counts, row);
    mergeSums(sums, [{ subject, hour: stepOf(row.atMs, "hour"), counts, times: noTimes }]);
  }
  return [...sums.values()];
}

/** The most bytes of the sums of sessions in a commit, which also has the rows. */
const sessionsBytesMax = 300 * 1024;
/** The most bytes of a session's sum but its names, and of a character of a model as JSON. */
const [sumBytesMax, characterBytesMax] = [570, 6];

/**
 * Returns how many of the rows have room in one commit with the sums of their sessions: each may be
 * of a session of its own.
 */
export function rowsWithRoom(rows: readonly RequestLogRow[]): number {
  const found = new Set<string>();
  let bytes = 0;
  const end = rows.findIndex(({ session, keyId, model, atMs }) => {
    if (!session) return false;
    const name = `${stepOf(atMs, "hour")} ${keyId} ${sessionText(session)}/${model}`;
    if (found.has(name)) return false;
    found.add(name);
    bytes += sumBytesMax + name.length + model.length * characterBytesMax;
    return bytes > sessionsBytesMax;
  });
  return end < 0 ? rows.length : end;
}

/** Sessions have no durations either. */
const noTimes: Sums = new Map();

/** Spreads sums over each of their subjects. */
export function subjectSums(sums: readonly CallSum[]): HourSum[] {
  return sums.flatMap(({ counted, ...sum }) =>
    subjectsOf(counted).map((subject) => ({
      ...sum,
      ...(!hasTimes(subject) && { times: noTimes }),
      subject,
    }))
  );
}

/** Adds sums of the same subject and hour; leaves `sums` unchanged. */
export function mergeSums(into: HourSums, sums: readonly HourSum[]): HourSums {
  for (const { subject, hour, counts, times } of sums) {
    const { dimension, scope, value } = subject;
    const name = `${hour} ${dimension} ${scope} ${value}`; // only a value can contain a space, and it is last
    const sum = into.get(name) ?? { subject, hour, counts: new Map(), times: new Map() };
    into.set(name, sum);
    addIncrements(sum.counts, counts);
    addIncrements(sum.times, times);
  }
  return into;
}

/** The maximum number of values that the sums of one subject and hour are added to. */
export const valuesPerSum = 4;

/**
 * Adds sums to the stored rollups of their hours and of their days. Each rollup is read and
 * replaced, so the commit must fail if another one has changed rollups since before this call.
 */
export async function addToRollups(
  store: Store,
  operation: AtomicOperation,
  sums: readonly HourSum[],
): Promise<void> {
  const additions = additionsOf(sums);
  const stored = await readInBatches(store.kv, additions.map(({ key }) => key));
  for (const [at, { key, sums }] of additions.entries()) {
    const { value } = stored[at];
    const total: Sums = new Map(value === null ? [] : sumsOfEntry({ ...stored[at], value }));
    addIncrements(total, sums);
    operation.set(key, packSums(total));
  }
}

/** Sums to add to one stored rollup. */
interface Addition {
  readonly key: Deno.KvKey;
  readonly sums: Sums;
}

function additionsOf(sums: readonly HourSum[]): Addition[] {
  const found = new Map<string, Addition>();
  for (const { subject, hour, counts, times } of sums) {
    const steps = [["hour", hour], ["day", dayOfHour(hour)]] as const;
    for (const [step, time] of isOfSession(subject) ? steps.slice(0, 1) : steps) {
      note(found, rollupKey(step, subject, time, packedName), counts);
      note(found, rollupTimesKey(step, subject, time, packedName), times);
    }
  }
  return [...found.values()];
}

function note(found: Map<string, Addition>, key: Deno.KvKey, sums: Sums): void {
  if (sums.size === 0) return;
  const name = key.join("\0");
  const addition = found.get(name) ?? { key, sums: new Map() };
  found.set(name, addition);
  addIncrements(addition.sums, sums);
}
