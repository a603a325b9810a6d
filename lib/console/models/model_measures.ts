import { totalOutputTokens } from "../../canonical/mod.ts";
import { usageSeries } from "../../ledger/mod.ts";
import { stepMs } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { compactRows } from "../../store/settling/mod.ts";
import {
  addCounts,
  addTimes,
  type Counts,
  durationBoundsMs,
  type Histogram,
  listSubjects,
  noCounts,
  noTimes,
  percentile,
  readTimes,
  type RollupPeriod,
  subjects,
  type Times,
} from "../../store/usage/mod.ts";

/** The periods of the measures: whole UTC hours or days, the current one included. */
export const measurePeriods = {
  "14d": { steps: 14, step: "day" },
  "24h": { steps: 24, step: "hour" },
} as const;
export type MeasurePeriod = keyof typeof measurePeriods;

/** The calls of a model in a period. */
export interface ModelUse {
  readonly counts: Counts;
  /** The number of calls in each hour or day, oldest first. */
  readonly trend: readonly number[];
}

/** The speed of a model; absent figures were not measured. */
export interface ModelSpeed {
  /** The median time to the first byte. */
  readonly firstByteMs?: number;
  /** Output tokens per second, over the whole duration of calls. */
  readonly tokensPerSecond?: number;
}

/** The hours or days of a period, until the end of the current one. */
export function measuredSteps(period: MeasurePeriod, nowMs: number): RollupPeriod {
  const { steps, step } = measurePeriods[period];
  const toMs = (Math.floor(nowMs / stepMs[step]) + 1) * stepMs[step];
  return { step, fromMs: toMs - steps * stepMs[step], toMs };
}

/**
 * The use of models by an account, or by all accounts if the scope is empty. Models without calls
 * in the period are left out.
 */
export async function modelUses(
  store: Store,
  { ids, scope, period }: {
    readonly ids: ReadonlySet<string>;
    readonly scope: string;
    readonly period: RollupPeriod;
  },
): Promise<ReadonlyMap<string, ModelUse>> {
  await compactRows(store);
  const known = await Array.fromAsync(listSubjects(store, "model", scope));
  const names = known.map(({ value }) => value).filter((name) => ids.has(name));
  const uses = await Promise.all(names.map(async (name) => {
    const points = await usageSeries(store, subjects.model(name, scope), period);
    return {
      counts: points.reduce((sum, { counts }) => addCounts(sum, counts), noCounts),
      trend: points.map(({ counts }) => counts.requests),
    };
  }));
  const called = names.map((name, at) => [name, uses[at]] as const);
  return new Map(called.filter(([, { counts }]) => counts.requests > 0));
}

/** The speed of a model for all accounts. Does not compact first, because `modelUses` does. */
export async function modelSpeed(
  store: Store,
  model: string,
  { counts, period }: { readonly counts: Counts; readonly period: RollupPeriod },
): Promise<ModelSpeed> {
  const points = await readTimes(store, subjects.model(model), period);
  return speedOf(counts, points.reduce((sum, point) => addTimes(sum, point.sum), noTimes));
}

export function speedOf(counts: Counts, times: Times): ModelSpeed {
  const firstByteMs = percentile(times.firstByte, 0.5);
  const tokensPerSecond = meanTokensPerSecond(counts, times);
  return {
    ...(firstByteMs !== undefined && { firstByteMs }),
    ...(tokensPerSecond !== undefined && { tokensPerSecond }),
  };
}

/** The share of successful calls, from 0 to 1; undefined without calls. */
export function successShare({ requests, failures }: Counts): number | undefined {
  return requests > 0 ? 1 - failures / requests : undefined;
}

/** Output tokens per second of whole calls; undefined if no call took time or returned tokens. */
export function meanTokensPerSecond(counts: Counts, times: Times): number | undefined {
  const meanOfCallsMs = meanMs(times.duration);
  const calls = times.duration.reduce((sum, count) => sum + count, 0);
  const tokens = totalOutputTokens(counts);
  return meanOfCallsMs && tokens > 0 ? tokens / (calls * meanOfCallsMs / 1_000) : undefined;
}

/** The mean of a histogram, estimated by the middle of each bucket; undefined for an empty one. */
function meanMs(histogram: Histogram): number | undefined {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  return histogram.reduce((sum, count, bucket) => sum + count * middleOf(bucket), 0) / total;
}

function middleOf(bucket: number): number {
  const lower = bucket === 0 ? 0 : durationBoundsMs[bucket - 1];
  return (lower + (durationBoundsMs[bucket] ?? lower)) / 2;
}
