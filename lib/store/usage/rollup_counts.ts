import { tokenBuckets } from "../../canonical/mod.ts";
import { failureOf, type RequestLogRow } from "../log/request_log_row.ts";
import { addHistograms, bucketOf, durationBoundsMs, type Histogram } from "./rollup_histogram.ts";

/** The counts of calls, each stored under its name unless it is zero. */
const countNames = [
  "requests",
  "failures",
  ...tokenBuckets,
  "hostedToolCalls",
  "costNanoUsd",
  "uncoveredNanoUsd",
] as const;
/** The name of a count. */
type CountName = typeof countNames[number];

/** The measured durations. Each bucket is stored under this name and its number. */
const timeNames = ["duration", "firstByte"] as const;
type TimeName = typeof timeNames[number];

/** Summed counts of calls. Tokens by bucket, money in nano-dollars. */
export type Counts =
  & Readonly<Record<Exclude<CountName, AmountName>, number>>
  & Readonly<Record<AmountName, bigint>>;
type AmountName = "costNanoUsd" | "uncoveredNanoUsd";

/** Durations of calls: in total, and until their first byte. */
export type Times = Readonly<Record<TimeName, Histogram>>;

/** A count's name, and the amount that a call adds to it. */
export type Increment = readonly [name: string, amount: bigint];

/** The most that one call adds to a sum, so that an upstream's absurd count cannot overflow it. */
const amountMax = 10n ** 18n;
const bucketDigits = 2;

/** Returns a call's increments of counts; at least `requests`. */
export function countsOfRow(row: RequestLogRow): Increment[] {
  const { usage, costNanoUsd = 0n, uncoveredNanoUsd = 0n } = row;
  const increments: [string, bigint][] = [
    ["requests", 1n],
    ["failures", failureOf[row.outcome] ? 1n : 0n],
    ["costNanoUsd", bounded(costNanoUsd)],
    ["uncoveredNanoUsd", bounded(uncoveredNanoUsd)],
  ];
  if (usage) {
    const hosted = Object.values(usage.hostedToolCalls).reduce((sum, calls) => sum + calls, 0);
    increments.push(["hostedToolCalls", whole(hosted)]);
    for (const name of tokenBuckets) increments.push([name, whole(usage[name])]);
  }
  return increments.filter(([, amount]) => amount > 0n);
}

/** Returns a call's increments of histograms; none if no upstream was called, since refusals take no time. */
export function timesOfRow({ durationMs, firstByteMs, upstreamId }: RequestLogRow): Increment[] {
  if (upstreamId === undefined) return [];
  const increments: Increment[] = [[bucketName("duration", bucketOf(durationMs)), 1n]];
  if (firstByteMs !== undefined) {
    increments.push([bucketName("firstByte", bucketOf(firstByteMs)), 1n]);
  }
  return increments;
}

/** Converts sums by name to counts; unknown names are ignored. */
export function countsFrom(sums: ReadonlyMap<string, bigint>): Counts {
  const entries = countNames.map((name) => {
    const sum = sums.get(name) ?? 0n;
    return [name, name === "costNanoUsd" || name === "uncoveredNanoUsd" ? sum : Number(sum)];
  });
  return Object.fromEntries(entries) as Counts; // complete, and each of its type
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
  const entries = countNames.map((name) => {
    const [one, other] = [a[name], b[name]];
    return [
      name,
      typeof one === "bigint" ? one + BigInt(other) : one + Number(other),
    ];
  });
  return Object.fromEntries(entries) as Counts; // the same names with the same types
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

function bucketName(name: TimeName, bucket: number): string {
  return `${name}.${String(bucket).padStart(bucketDigits, "0")}`;
}

/** A count that an upstream reported, as an integer that can be added. */
function whole(count: number): bigint {
  return Number.isFinite(count) ? bounded(BigInt(Math.round(count))) : 0n;
}

function bounded(amount: bigint): bigint {
  if (amount <= 0n) return 0n;
  return amount < amountMax ? amount : amountMax;
}

/** Sums rows directly, for readers without stored sums. */
export function sumsOfRows(
  rows: readonly RequestLogRow[],
): { readonly counts: Counts; readonly times: Times } {
  const sums = (increments: Increment[]) => {
    const found = new Map<string, bigint>();
    for (const [name, amount] of increments) found.set(name, (found.get(name) ?? 0n) + amount);
    return found;
  };
  return {
    counts: countsFrom(sums(rows.flatMap(countsOfRow))),
    times: timesFrom(sums(rows.flatMap(timesOfRow))),
  };
}
