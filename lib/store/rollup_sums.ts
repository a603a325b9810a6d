import { StoreError } from "./error.ts";
import { newPageId } from "./log_page.ts";
import { keys } from "./keys.ts";
import { packLines, unpackLines } from "./log_lines.ts";
import { dayOfHour, stepOf } from "./log_time.ts";
import type { RequestLogRow } from "./request_log_row.ts";
import { countsOfRow, type Increment, timesOfRow } from "./rollup_counts.ts";
import {
  rollupKey,
  type RollupSubject,
  rollupTimesKey,
  subjectsKey,
  subjectsOf,
} from "./rollup_subject.ts";

/** What calls of one hour add to one subject. */
export interface HourSum {
  readonly subject: RollupSubject;
  /** UTC, such as `2026-11-21T08`. */
  readonly hour: string;
  readonly counts: Sums;
  readonly times: Sums;
}

export type Sums = Map<string, bigint>;

const head = JSON.stringify({ version: 1 });

/** What rows add to each subject and hour. */
export function sumsOf(rows: readonly RequestLogRow[]): HourSum[] {
  const alike = new Map<string, AlikeSum>();
  for (const row of rows) {
    const name = subjectsKey(row);
    const sum = alike.get(name) ?? emptySum(row);
    alike.set(name, sum);
    add(sum.counts, countsOfRow(row));
    add(sum.times, timesOfRow(row));
  }
  const each = [...alike.values()].flatMap(({ row, ...sum }) =>
    subjectsOf(row).map((subject) => ({ ...sum, subject }))
  );
  return mergeSums(each);
}

/** What rows add that count under the same subjects in the same hour. */
type AlikeSum = Omit<HourSum, "subject"> & { readonly row: RequestLogRow };

/** Adds up what belongs to the same subject and hour. */
export function mergeSums(sums: readonly HourSum[]): HourSum[] {
  const merged = new Map<string, HourSum>();
  for (const { subject, hour, counts, times } of sums) {
    const name = sumName({ subject, hour });
    const sum = merged.get(name) ?? { subject, hour, counts: new Map(), times: new Map() };
    merged.set(name, sum);
    add(sum.counts, counts);
    add(sum.times, times);
  }
  return [...merged.values()];
}

/** A text for a subject's hour; no two of them share one. */
export function sumName({ subject, hour }: Pick<HourSum, "subject" | "hour">): string {
  return `${hour} ${subject.dimension} ${subject.scope} ${subject.value}`;
}

/** Adds to a commit what waits to be added to rollups, few values for many sums. */
export function addWaitingSums(
  operation: Deno.AtomicOperation,
  isolateId: string,
  sums: readonly HourSum[],
): void {
  for (const value of packLines(head, sums.map(lineOf))) {
    operation.set(keys.waitingSums(isolateId, newPageId()), value);
  }
}

export function unpackSums(bytes: Uint8Array): HourSum[] {
  const { head: written, lines } = unpackLines(bytes);
  if (written === head) return lines.map(sumOf);
  throw new StoreError(
    "unreadable",
    `Cannot read sums that wait for the rollups: they begin with ${written}, this release reads ${head}`,
  );
}

/** How many mutations `addSum` makes of it. */
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

function emptySum(row: RequestLogRow): AlikeSum {
  return { row, hour: stepOf(row.atMs, "hour"), counts: new Map(), times: new Map() };
}

function add(sums: Sums, increments: Iterable<Increment>): void {
  for (const [name, amount] of increments) sums.set(name, (sums.get(name) ?? 0n) + amount);
}

type PackedSums = readonly (readonly [name: string, amount: string])[];
type PackedSum = readonly [RollupSubject, hour: string, counts: PackedSums, times: PackedSums];

function lineOf({ subject, hour, counts, times }: HourSum): string {
  const packed: PackedSum = [subject, hour, packSums(counts), packSums(times)];
  return JSON.stringify(packed);
}

function sumOf(line: string): HourSum {
  const [subject, hour, counts, times]: PackedSum = JSON.parse(line); // lineOf wrote it
  return { subject, hour, counts: unpackMap(counts), times: unpackMap(times) };
}

function packSums(sums: Sums): PackedSums {
  return [...sums].map(([name, amount]) => [name, String(amount)]);
}

function unpackMap(sums: PackedSums): Sums {
  return new Map(sums.map(([name, amount]) => [name, BigInt(amount)]));
}
