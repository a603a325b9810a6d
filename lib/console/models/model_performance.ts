import { usageSeries, usageTotals } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";
import {
  addCounts,
  addTimes,
  type Counts,
  noCounts,
  noTimes,
  percentile,
  readTimes,
  type RollupPeriod,
  subjects,
  type Times,
} from "../../store/usage/mod.ts";
import {
  axisBelow,
  axisTo,
  type ChartSeries,
  countScale,
  durationScale,
  moneyScale,
  percentScale,
} from "../charts/chart.ts";
import type { AccountView } from "../page/view.ts";
import {
  meanTokensPerSecond,
  measuredSteps,
  type MeasurePeriod,
  successShare,
} from "./model_measures.ts";

/** The calls of a model in one hour or day. */
interface PerformanceStep {
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

const chartPx = 110;
/** Nano-dollars: the axis of a model that cost nothing. */
const dollar = 1_000_000_000;

/** The small charts of a model: spend, first byte, success and speed. */
export function modelCharts(
  { steps, spentNanoUsd }: ModelPerformance,
  { view, isOwnSpend }: { readonly view: AccountView; readonly isOwnSpend: boolean },
) {
  const { catalog: { modelPage: texts }, formats } = view;
  const spend = isOwnSpend ? texts.yourSpend : texts.spend;
  const lineOf = (name: string, amountOf: (step: PerformanceStep) => number | undefined) =>
    ({ name, color: 1, amounts: steps.map(amountOf) }) as const satisfies ChartSeries;
  const success = lineOf(texts.success, ({ counts }) => percentOf(successShare(counts)));
  const least = Math.min(99, ...success.amounts.filter((amount) => amount !== undefined));
  const axis = axisBelow(100, least, { heightPx: chartPx, stepMin: 0.5 });
  const firstByte = (share: number) => ({ times }: PerformanceStep) =>
    percentile(times.firstByte, share);
  return [
    {
      title: texts.perDay(spend),
      kind: "bars",
      series: [lineOf(spend, ({ spentNanoUsd }) => Number(spentNanoUsd))],
      scale: moneyScale(formats),
      ...(spentNanoUsd === 0n && { axis: axisTo(dollar, { heightPx: chartPx }) }),
    },
    {
      title: texts.firstByte,
      kind: "lines",
      series: [
        lineOf("p50", firstByte(0.5)),
        { ...lineOf("p95", firstByte(0.95)), color: 3, dashed: true },
      ],
      scale: durationScale(formats),
    },
    {
      title: texts.success,
      ...(axis.bottom > 0 && {
        hint: texts.fromShare(percentScale(formats).tick(axis.bottom)),
      }),
      kind: "lines",
      series: [success],
      scale: percentScale(formats),
      axis,
    },
    {
      title: texts.tokensPerSecond,
      kind: "lines",
      series: [
        lineOf(texts.tokensPerSecond, ({ counts, times }) => meanTokensPerSecond(counts, times)),
      ],
      scale: roundedScale(view),
    },
  ] as const;
}

function percentOf(share: number | undefined): number | undefined {
  return share === undefined ? undefined : share * 100;
}

function roundedScale({ formats }: AccountView) {
  const scale = countScale(formats);
  return { ...scale, write: (amount: number) => scale.write(Math.round(amount)) };
}
