import { usageSeries, usageTotals } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";
import {
  addCounts,
  addTimes,
  type Counts,
  noCounts,
  noTimes,
  readTimes,
  type RollupPeriod,
  subjects,
  type Times,
} from "../../store/usage/mod.ts";
import { measuredSteps, type MeasurePeriod } from "./model_measures.ts";

/** The calls of a model in one hour or day. */
export interface PerformanceStep {
  readonly atMs: number;
  readonly counts: Counts;
  readonly times: Times;
  /** The spend that the reader may see. */
  readonly spentNanoUsd: bigint;
}

/** The performance of a model on this gateway: by hour or day, and in total. */
export interface ModelPerformance {
  readonly period: MeasurePeriod;
  readonly steps: readonly PerformanceStep[];
  readonly counts: Counts;
  readonly times: Times;
  readonly spentNanoUsd: bigint;
  /** The spend of the previous period of equal length. */
  readonly beforeNanoUsd: bigint;
}

/**
 * Reads the calls of all accounts, and the spend of one of them, or of all if `spender` is empty.
 * Reads sums only, never calls.
 */
export async function readPerformance(
  store: Store,
  model: string,
  { spender, period: name, nowMs }: {
    readonly spender: string;
    readonly period: MeasurePeriod;
    readonly nowMs: number;
  },
): Promise<ModelPerformance> {
  const period = measuredSteps(name, nowMs);
  const before = { fromMs: 2 * period.fromMs - period.toMs, toMs: period.fromMs };
  const [everyone, own] = [subjects.model(model), subjects.model(model, spender)];
  const [calls, spends, past] = await Promise.all([
    usageSeries(store, everyone, period),
    usageSeries(store, own, period),
    usageTotals(store, own, before),
  ]);
  const times = await timesByStep(store, model, period);
  const steps = calls.map(({ atMs, counts }, at): PerformanceStep => ({
    atMs,
    counts,
    times: times.get(atMs) ?? noTimes,
    spentNanoUsd: spends[at].counts.costNanoUsd,
  }));
  return {
    period: name,
    steps,
    counts: steps.reduce((sum, step) => addCounts(sum, step.counts), noCounts),
    times: steps.reduce((sum, step) => addTimes(sum, step.times), noTimes),
    spentNanoUsd: steps.reduce((sum, step) => sum + step.spentNanoUsd, 0n),
    beforeNanoUsd: past.counts.costNanoUsd,
  };
}

async function timesByStep(
  store: Store,
  model: string,
  period: RollupPeriod,
): Promise<ReadonlyMap<number, Times>> {
  const points = await readTimes(store, subjects.model(model), period);
  return new Map(points.map(({ atMs, sum }) => [atMs, sum]));
}
