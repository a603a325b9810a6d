import type { ChartScale, ChartSeries, ChartStep } from "../charts/chart.ts";
import { countScale, moneyScale } from "../charts/scales.ts";
import { daySteps, hourSteps, logHref } from "../charts/steps.ts";
import type { AccountView } from "../page/view.ts";
import { type Spending, type SpendMeasure, spendPeriods } from "./spending.ts";

/** The chart of an account's spending, by model. */
interface SpendChart {
  readonly steps: readonly ChartStep[];
  readonly series: readonly ChartSeries[];
  readonly scale: ChartScale;
}

const colors = [1, 2, 3, 4] as const;

export function spendChart(
  { period, starts, series }: Spending,
  measure: SpendMeasure,
  { catalog: { spend }, formats, locale, path }: AccountView,
): SpendChart {
  const who = new URL(path, "http://localhost").searchParams.get("who");
  const href = logHref(who === null ? {} : { who });
  const stepsOf = spendPeriods[period].step === "hour" ? hourSteps : daySteps;
  return {
    steps: stepsOf(starts, { formats, locale, href }),
    series: series.map(({ model, amounts }, at) => ({
      name: model ?? spend.others,
      color: model === undefined ? 5 : colors[at],
      amounts: amounts.map(Number),
    })),
    scale: measure === "cost" ? moneyScale(formats) : countScale(formats),
  };
}
