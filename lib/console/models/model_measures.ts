import { usageTotals } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";
import { compactRows } from "../../store/settling/mod.ts";
import {
  type Counts,
  durationBoundsMs,
  type Histogram,
  listSubjects,
  percentile,
  readCounts,
  type RollupSubject,
  subjects,
  type Times,
} from "../../store/usage/mod.ts";
import { tokensOut } from "../calls/usage_summary.ts";

/** A model's performance for all accounts in the last 24 hours, and the account's own spend on it. */
export interface ModelMeasure {
  /** The median time to the first byte. */
  readonly firstByteMs?: number;
  /** Output tokens per second, over the whole duration of calls. */
  readonly tokensPerSecond?: number;
  /** The share of successful calls, from 0 to 1. */
  readonly successShare?: number;
  /** The account's own spend in the last 30 days. */
  readonly spentNanoUsd?: bigint;
}

/** The days over which the spend is added up. */
export const modelSpendDays = 30;

const [hourMs, dayMs] = [3_600_000, 86_400_000];

/** Measures by model; models that were never called have none. */
export async function modelMeasures(
  store: Store,
  ids: ReadonlySet<string>,
  { accountId, nowMs }: { readonly accountId: string; readonly nowMs: number },
): Promise<ReadonlyMap<string, ModelMeasure>> {
  await compactRows(store);
  const [everybody, own] = await Promise.all(
    ["", accountId].map((scope) => calledModels(store, scope, ids)),
  );
  const [measured, spent] = await Promise.all([
    Promise.all(everybody.map((subject) => measureOf(store, subject, nowMs))),
    Promise.all(own.map(async (subject) => ({
      subject,
      spentNanoUsd: await spentOn(store, subject, nowMs),
    }))),
  ]);
  const spentOf = new Map(spent.map(({ subject, spentNanoUsd }) => [subject.value, spentNanoUsd]));
  return new Map(everybody.map(({ value }, at) => {
    const spentNanoUsd = spentOf.get(value);
    return [value, { ...measured[at], ...(spentNanoUsd !== undefined && { spentNanoUsd }) }];
  }));
}

async function calledModels(
  store: Store,
  scope: string,
  ids: ReadonlySet<string>,
): Promise<RollupSubject[]> {
  const found: RollupSubject[] = [];
  for await (const subject of listSubjects(store, "model", scope)) {
    if (ids.has(subject.value)) found.push(subjects.model(subject.value, scope));
  }
  return found;
}

async function measureOf(
  store: Store,
  subject: RollupSubject,
  nowMs: number,
): Promise<ModelMeasure> {
  const period = { fromMs: nowMs - 24 * hourMs, toMs: nowMs + 1 };
  const { counts, times } = await usageTotals(store, subject, period);
  if (counts.requests === 0) return {};
  return {
    firstByteMs: percentile(times.firstByte, 0.5),
    tokensPerSecond: meanTokensPerSecond(counts, times),
    successShare: 1 - counts.failures / counts.requests,
  };
}

/** Output tokens per second of whole calls; undefined if no call took any time. */
export function meanTokensPerSecond(counts: Counts, times: Times): number | undefined {
  const meanOfCallsMs = meanMs(times.duration);
  const calls = times.duration.reduce((sum, count) => sum + count, 0);
  return meanOfCallsMs && tokensOut(counts) / (calls * meanOfCallsMs / 1_000);
}

async function spentOn(store: Store, subject: RollupSubject, nowMs: number): Promise<bigint> {
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  const period = { step: "day", fromMs: toMs - modelSpendDays * dayMs, toMs } as const;
  const points = await readCounts(store, subject, period);
  return points.reduce((sum, point) => sum + point.sum.costNanoUsd, 0n);
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
