import { tokenBuckets } from "../../canonical/mod.ts";
import {
  cacheSavingOf,
  failureOf,
  type RequestLogRow,
  upstreamNanoUsdOf,
} from "../log/request_log_row.ts";

/** A sum's name, and an amount that is added to it. */
type Increment = readonly [name: string, amount: bigint];

/** Sums by name, such as `requests` or `duration.03`. */
export type Sums = Map<string, bigint>;

/** The last part of the key of a packed rollup. */
export const packedName = "sums";

/** Packs sums as a text, such as `requests=3 inputTokens=120`. */
export function packSums(sums: Sums): string {
  return [...sums].map(([name, amount]) => `${name}=${amount}`).join(" ");
}

/** Adds increments to the sums of the same names. */
export function addIncrements(sums: Sums, increments: Iterable<Increment>): void {
  for (const [name, amount] of increments) addIncrement(sums, name, amount);
}

/** Adds an amount to the sum of a name. */
export function addIncrement(sums: Sums, name: string, amount: bigint): void {
  const sum = sums.get(name);
  sums.set(name, sum === undefined ? amount : sum + amount);
}

/** Returns the sums of a stored entry. */
export function sumsOfEntry({ value }: Deno.KvEntry<unknown>): Increment[] {
  return String(value).split(" ").map(sumIn); // only packSums writes other values there
}

function sumIn(text: string): Increment {
  const [name, amount] = text.split("=");
  return [name, BigInt(amount)];
}

/**
 * The upper bounds of the duration buckets, in milliseconds: ten for each power of ten from 10 ms
 * to 1,000 s, each about a quarter above the previous one (Renard's series R10, ISO 3). One more
 * bucket holds longer durations.
 */
export const durationBoundsMs: readonly number[] = [10, 100, 1_000, 10_000, 100_000]
  .flatMap((decade) =>
    [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8].map((step) => Math.round(step * decade))
  )
  .concat(1_000_000);

/** The number of durations in each bucket; missing buckets are empty. */
export type Histogram = readonly number[];

/** The bucket of a duration: the first whose bound is not below it. */
export function bucketOf(durationMs: number): number {
  let [low, high] = [0, durationBoundsMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (durationMs <= durationBoundsMs[middle]) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The percentile of a histogram in milliseconds: `share` is 0.95 for p95. Interpolates linearly
 * within the bucket. Undefined without calls.
 */
export function percentile(histogram: Histogram, share: number): number | undefined {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const wanted = Math.min(Math.max(share, 0), 1) * total;
  let below = 0;
  for (const [bucket, count] of histogram.entries()) {
    if (count > 0 && below + count >= wanted) return within(bucket, (wanted - below) / count);
    below += count;
  }
  return durationBoundsMs.at(-1);
}

/** Durations beyond the last bound count as the bound itself. */
function within(bucket: number, share: number): number {
  const lower = bucket === 0 ? 0 : durationBoundsMs[bucket - 1];
  const upper = durationBoundsMs[bucket] ?? lower;
  return lower + (upper - lower) * share;
}

function addHistograms(a: Histogram, b: Histogram): Histogram {
  const length = Math.max(a.length, b.length);
  return Array.from({ length }, (_, bucket) => (a[bucket] ?? 0) + (b[bucket] ?? 0));
}

/** The counts of calls, each stored under its name unless it is zero. */
const numberNames = [
  "requests",
  "failures",
  ...tokenBuckets,
  "hostedToolCalls",
  "cacheMisses",
] as const;
const amountNames = [
  "costNanoUsd",
  "uncoveredNanoUsd",
  "markupNanoUsd",
  "cacheSavedNanoUsd",
] as const;
/** Amounts that may be below zero. */
const signedNames: ReadonlySet<string> = new Set(["markupNanoUsd", "cacheSavedNanoUsd"]);
type NumberName = typeof numberNames[number];
type AmountName = typeof amountNames[number];
type CountName = NumberName | AmountName;

/** The measured durations. Each bucket is stored under this name and its number. */
const timeNames = ["duration", "firstByte"] as const;
type TimeName = typeof timeNames[number];

/**
 * Summed counts of calls. Tokens by bucket, money in nano-dollars. The markup is how much dearer the
 * usage is here than at the upstreams: below zero if it is cheaper. The saving of caches is below
 * zero if their writes cost more than their reads saved.
 */
export type Counts =
  & Readonly<Record<NumberName, number>>
  & Readonly<Record<AmountName, bigint>>;

/** Durations of calls: in total, and until their first byte. */
export type Times = Readonly<Record<TimeName, Histogram>>;

/** The most that one call adds to a sum, so that an upstream's absurd count cannot overflow it. */
const amountMax = 10n ** 18n;
const bucketDigits = 2;

/** Adds a call to the sums of counts; at least to `requests`. */
export function addCountsOfRow(sums: Sums, row: RequestLogRow): void {
  const { usage, costNanoUsd = 0n, uncoveredNanoUsd = 0n } = row;
  addIncrement(sums, "requests", 1n);
  if (failureOf[row.outcome]) addIncrement(sums, "failures", 1n);
  addPositive(sums, "costNanoUsd", bounded(costNanoUsd));
  addPositive(sums, "uncoveredNanoUsd", bounded(uncoveredNanoUsd));
  if (row.upstreamCost) addMarkup(sums, row);
  if (row.cacheMiss !== undefined) addIncrement(sums, "cacheMisses", 1n);
  const savedNanoUsd = cacheSavingOf(row);
  if (savedNanoUsd !== 0n) addIncrement(sums, "cacheSavedNanoUsd", savedNanoUsd);
  if (!usage) return;
  let hosted = 0;
  for (const name in usage.hostedToolCalls) hosted += usage.hostedToolCalls[name];
  addPositive(sums, "hostedToolCalls", whole(hosted));
  for (const name of tokenBuckets) addPositive(sums, name, whole(usage[name]));
}

function addMarkup(sums: Sums, row: RequestLogRow): void {
  const { costNanoUsd = 0n, uncoveredNanoUsd = 0n } = row;
  const priced = bounded(costNanoUsd) + bounded(uncoveredNanoUsd);
  const markup = priced - bounded(upstreamNanoUsdOf(row));
  if (markup !== 0n) addIncrement(sums, "markupNanoUsd", markup);
}

/** The cost of calls for the operator, and the margin of their charges: below zero for a loss. */
export function marginOf(
  { costNanoUsd, uncoveredNanoUsd, markupNanoUsd }: Counts,
): { readonly upstreamNanoUsd: bigint; readonly marginNanoUsd: bigint } {
  return {
    upstreamNanoUsd: costNanoUsd + uncoveredNanoUsd - markupNanoUsd,
    marginNanoUsd: markupNanoUsd - uncoveredNanoUsd,
  };
}

function addPositive(sums: Sums, name: CountName, amount: bigint): void {
  if (amount > 0n) addIncrement(sums, name, amount);
}

/** Adds a call to the sums of histograms; not if no upstream was called, since refusals take no time. */
export function addTimesOfRow(
  sums: Sums,
  { durationMs, firstByteMs, upstreamId }: RequestLogRow,
): void {
  if (upstreamId === undefined) return;
  addIncrement(sums, bucketName("duration", bucketOf(durationMs)), 1n);
  if (firstByteMs === undefined) return;
  addIncrement(sums, bucketName("firstByte", bucketOf(firstByteMs)), 1n);
}

/** Converts sums by name to counts; unknown names are ignored. */
export function countsFrom(sums: ReadonlyMap<string, bigint>): Counts {
  return countsOf(
    (name) => Number(sums.get(name) ?? 0n),
    (name) => sums.get(name) ?? 0n,
  );
}

/**
 * Makes counts of every name. Loops and assignments, because pages make thousands of them: entries
 * take several times as long.
 */
function countsOf(
  number: (name: NumberName) => number,
  amount: (name: AmountName) => bigint,
): Counts {
  const counts: Record<string, number | bigint> = {};
  for (const name of numberNames) counts[name] = number(name);
  for (const name of amountNames) counts[name] = amount(name);
  return counts as unknown as Counts; // complete, and each of its type
}

/** Converts sums by bucket name to histograms. */
export function timesFrom(sums: ReadonlyMap<string, bigint>): Times {
  const histogramOf = (name: TimeName) =>
    Array.from(
      { length: durationBoundsMs.length + 1 },
      (_, bucket) => Number(sums.get(bucketName(name, bucket)) ?? 0n),
    );
  return { duration: histogramOf("duration"), firstByte: histogramOf("firstByte") };
}

/** The counts of no calls. */
export const noCounts: Counts = countsFrom(new Map());

/** Adds two counts. */
export function addCounts(a: Counts, b: Counts): Counts {
  return countsOf((name) => a[name] + b[name], (name) => a[name] + b[name]);
}

/** Subtracts the second counts from the first. */
export function subtractCounts(a: Counts, b: Counts): Counts {
  return countsOf((name) => a[name] - b[name], (name) => a[name] - b[name]);
}

/** Replaces negative counts with 0; a markup may be negative. */
export function positiveCounts(counts: Counts): Counts {
  return countsOf(
    (name) => Math.max(counts[name], 0),
    (name) => counts[name] > 0n || signedNames.has(name) ? counts[name] : 0n,
  );
}

/** The durations of no calls. */
export const noTimes: Times = { duration: [], firstByte: [] };

/** Adds two sets of durations. */
export function addTimes(a: Times, b: Times): Times {
  return {
    duration: addHistograms(a.duration, b.duration),
    firstByte: addHistograms(a.firstByte, b.firstByte),
  };
}

function bucketNamesOf(name: TimeName): readonly string[] {
  return Array.from(
    { length: durationBoundsMs.length + 1 },
    (_, bucket) => `${name}.${String(bucket).padStart(bucketDigits, "0")}`,
  );
}

const bucketNames = {
  duration: bucketNamesOf("duration"),
  firstByte: bucketNamesOf("firstByte"),
} as const satisfies Record<TimeName, readonly string[]>;

function bucketName(name: TimeName, bucket: number): string {
  return bucketNames[name][bucket];
}

/** A count that an upstream reported, as an integer that can be added. */
function whole(count: number): bigint {
  return count > 0 && Number.isFinite(count) ? bounded(BigInt(Math.round(count))) : 0n;
}

function bounded(amount: bigint): bigint {
  if (amount <= 0n) return 0n;
  return amount < amountMax ? amount : amountMax;
}

/** Sums rows directly, for readers without stored sums. */
export function sumsOfRows(
  rows: readonly RequestLogRow[],
): { readonly counts: Counts; readonly times: Times } {
  const counts: Sums = new Map();
  const times: Sums = new Map();
  for (const row of rows) {
    addCountsOfRow(counts, row);
    addTimesOfRow(times, row);
  }
  return { counts: countsFrom(counts), times: timesFrom(times) };
}
