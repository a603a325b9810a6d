import { usageParts } from "../../ledger/mod.ts";
import { stepMs } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import {
  addCounts,
  addTimes,
  type Counts,
  noCounts,
  noTimes,
  percentile,
  readTimes,
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
import type { PeriodSpan } from "../page/period.ts";
import type { AccountView } from "../page/view.ts";
import { meanTokensPerSecond, successShare } from "./model_measures.ts";

/** The calls of a model in one step of a period. */
interface PerformanceStep {
  readonly counts: Counts;
  readonly times: Times;
  /** The spend that the reader may see. */
  readonly spentNanoUsd: bigint;
}

/** The performance of a model on this gateway: by step, and in total. */
export interface ModelPerformance {
  readonly span: PeriodSpan;
  readonly steps: readonly PerformanceStep[];
  readonly counts: Counts;
  readonly times: Times;
  readonly spentNanoUsd: bigint;
  /** The spend of the period that this one is compared with. */
  readonly beforeNanoUsd: bigint;
}

/**
 * Reads the calls of all accounts, and the spend of one of them, or of all if `spender` is empty.
 * Reads sums only, never calls.
 */
export async function readPerformance(
  store: Store,
  model: string,
  { spender, span }: { readonly spender: string; readonly span: PeriodSpan },
): Promise<ModelPerformance> {
  const { beforeMs, beforeEndMs, starts, toMs } = span;
  const parts = { startsMs: [beforeMs, beforeEndMs, ...starts], toMs } as const;
  const [calls, [before, _between, ...spends]] = await Promise.all([
    usageParts(store, subjects.model(model), { startsMs: starts, toMs }),
    usageParts(store, subjects.model(model, spender), parts),
  ]);
  const times = await timesByStep(store, model, span);
  const steps = calls.map((counts, at): PerformanceStep => ({
    counts,
    times: times[at],
    spentNanoUsd: spends[at].costNanoUsd,
  }));
  return {
    span,
    steps,
    counts: calls.reduce(addCounts, noCounts),
    times: times.reduce(addTimes, noTimes),
    spentNanoUsd: steps.reduce((sum, step) => sum + step.spentNanoUsd, 0n),
    beforeNanoUsd: before.costNanoUsd,
  };
}

async function timesByStep(
  store: Store,
  model: string,
  { starts, fromMs, toMs }: PeriodSpan,
): Promise<readonly Times[]> {
  const step = [...starts, toMs].every((atMs) => atMs % stepMs.day === 0) ? "day" : "hour";
  const points = await readTimes(store, subjects.model(model), { step, fromMs, toMs });
  const found = starts.map(() => noTimes);
  for (const { atMs, sum } of points) {
    const at = starts.findLastIndex((startMs) => startMs <= atMs);
    found[at] = addTimes(found[at], sum);
  }
  return found;
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
      title: spend,
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
