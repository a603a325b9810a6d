import { percentile } from "../../store/usage/mod.ts";
import { axisBelow, axisTo } from "../charts/axis.ts";
import type { ChartSeries } from "../charts/chart.ts";
import { countScale, durationScale, moneyScale, percentScale } from "../charts/scales.ts";
import type { AccountView } from "../page/view.ts";
import { meanTokensPerSecond, successShare } from "./model_measures.ts";
import type { ModelPerformance, PerformanceStep } from "./model_performance.ts";

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
