import { totalOutputTokens } from "../../canonical/mod.ts";
import { usageParts, usageTotals } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";
import { compactRows } from "../../store/settling/mod.ts";
import {
  addCounts,
  type Counts,
  durationBoundsMs,
  type Histogram,
  listSubjects,
  noCounts,
  percentile,
  subjects,
  type Times,
} from "../../store/usage/mod.ts";
import type { PeriodSpan } from "../page/period.ts";

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

/**
 * The use of models by an account, or by all accounts if the scope is empty. Models without calls
 * in the period are left out.
 */
export async function modelUses(
  store: Store,
  { ids, scope, span: { starts, toMs } }: {
    readonly ids: ReadonlySet<string>;
    readonly scope: string;
    readonly span: PeriodSpan;
  },
): Promise<ReadonlyMap<string, ModelUse>> {
  await compactRows(store);
  const known = await Array.fromAsync(listSubjects(store, "model", scope));
  const names = known.map(({ value }) => value).filter((name) => ids.has(name));
  const uses = await Promise.all(names.map(async (name) => {
    const subject = subjects.model(name, scope);
    const points = await usageParts(store, subject, { startsMs: starts, toMs });
    return {
      counts: points.reduce(addCounts, noCounts),
      trend: points.map(({ requests }) => requests),
    };
  }));
  const called = names.map((name, at) => [name, uses[at]] as const);
  return new Map(called.filter(([, { counts }]) => counts.requests > 0));
}

/** The speed of a model for all accounts. */
export async function modelSpeed(
  store: Store,
  model: string,
  { counts, span }: { readonly counts: Counts; readonly span: PeriodSpan },
): Promise<ModelSpeed> {
  const { times } = await usageTotals(store, subjects.model(model), span);
  return speedOf(counts, times);
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
