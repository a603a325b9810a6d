import { dayOfHour, stepOf } from "../log/log_time.ts";
import type { RequestLogRow } from "../log/request_log_row.ts";
import { countsOfRow, type Increment, timesOfRow } from "./rollup_counts.ts";
import {
  type Counted,
  countedKey,
  countedOf,
  rollupKey,
  type RollupSubject,
  rollupTimesKey,
  subjectsOf,
} from "./rollup_subject.ts";

export type Sums = Map<string, bigint>;

/** Sums of the calls of one hour in UTC, such as `2026-11-21T08`. */
interface Summed {
  readonly hour: string;
  readonly counts: Sums;
  readonly times: Sums;
}

/** Sums of calls with the same subjects. */
export interface CallSum extends Summed {
  readonly counted: Counted;
}

/** Sums of the calls of one subject. */
export interface HourSum extends Summed {
  readonly subject: RollupSubject;
}

/** Sums by the subject and hour that they belong to. */
export type HourSums = Map<string, HourSum>;

/** Sums rows, grouped by their subjects. */
export function callSumsOf(rows: readonly RequestLogRow[]): CallSum[] {
  const found = new Map<string, CallSum>();
  for (const row of rows) {
    const counted = countedOf(row);
    const hour = stepOf(row.atMs, "hour");
    const name = `${hour} ${countedKey(counted)}`;
    const sum = found.get(name) ?? { counted, hour, counts: new Map(), times: new Map() };
    found.set(name, sum);
    add(sum.counts, countsOfRow(row));
    add(sum.times, timesOfRow(row));
  }
  return [...found.values()];
}

/** Spreads sums over each of their subjects. */
export function subjectSums(sums: readonly CallSum[]): HourSum[] {
  return sums.flatMap(({ counted, ...sum }) =>
    subjectsOf(counted).map((subject) => ({ ...sum, subject }))
  );
}

/** Adds sums of the same subject and hour; leaves `sums` unchanged. */
export function mergeSums(into: HourSums, sums: readonly HourSum[]): HourSums {
  for (const { subject, hour, counts, times } of sums) {
    const { dimension, scope, value } = subject;
    const name = `${hour} ${dimension} ${scope} ${value}`; // only a value can contain a space, and it is last
    const sum = into.get(name) ?? { subject, hour, counts: new Map(), times: new Map() };
    into.set(name, sum);
    add(sum.counts, counts);
    add(sum.times, times);
  }
  return into;
}

/** The number of mutations that `addSum` adds for this sum. */
export function mutationsOf({ counts, times }: HourSum): number {
  return 2 * (counts.size + times.size);
}

/** Adds to the rollups of the hour and of its day. */
export function addSum(operation: Deno.AtomicOperation, sum: HourSum): void {
  const { subject, hour, counts, times } = sum;
  const day = dayOfHour(hour);
  for (const [name, amount] of counts) {
    operation.sum(rollupKey("hour", subject, hour, name), amount)
      .sum(rollupKey("day", subject, day, name), amount);
  }
  for (const [name, amount] of times) {
    operation.sum(rollupTimesKey("hour", subject, hour, name), amount)
      .sum(rollupTimesKey("day", subject, day, name), amount);
  }
}

function add(sums: Sums, increments: Iterable<Increment>): void {
  for (const [name, amount] of increments) sums.set(name, (sums.get(name) ?? 0n) + amount);
}
