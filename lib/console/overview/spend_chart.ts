import type { Counts } from "../../store/usage/mod.ts";
import {
  type ChartScale,
  type ChartSeries,
  type ChartStep,
  countScale,
  moneyScale,
} from "../charts/chart.ts";
import { daySteps, hourSteps, logHref } from "../charts/steps.ts";
import type { Catalog } from "../i18n/mod.ts";
import type { AccountView } from "../page/view.ts";
import type { SpendQuery } from "./spend_query.ts";
import { measureOf, moneyMeasures, type Spending } from "./spending.ts";

/** The chart of a breakdown: its first rows, and all others together. */
interface SpendChart {
  readonly steps: readonly ChartStep[];
  readonly series: readonly ChartSeries[];
  readonly scale: ChartScale;
}

const colors = [1, 2, 3, 4] as const;

/** The color of a row, in the chart and beside its name. */
export function colorOf(at: number): ChartSeries["color"] {
  return colors[at] ?? 5;
}

export function spendChart(
  { span, starts, rows, total, othersCount }: Spending,
  query: SpendQuery,
  { view, names }: { readonly view: AccountView; readonly names: readonly string[] },
): SpendChart {
  const { catalog, formats, locale } = view;
  const { measure, who } = query;
  const stepsOf = span.step === "hour" ? hourSteps : daySteps;
  const gain = (counts: Counts) => Math.max(0, measureOf[measure](counts)); // bars show no loss
  const top = rows.filter(({ subject }) => subject).slice(0, colors.length);
  const series = top.map(({ points }, at): ChartSeries => ({
    name: names[at],
    color: colorOf(at),
    amounts: points.map(gain),
  }));
  const rest = total.points.map((counts, step) =>
    series.reduce((left, { amounts }) => left - (amounts[step] ?? 0), gain(counts))
  );
  const hasRest = rest.some((amount) => amount > 0);
  const others = othersCount + names.length - top.length;
  const name = others > 0 ? catalog.spend.others(others) : withoutName(query, catalog);
  const amounts = rest.map((amount) => Math.max(0, amount));
  return {
    steps: stepsOf(starts, { formats, locale, href: logHref(logScope(who)) }),
    series: hasRest ? [...series, { name, color: 5, amounts }] : series,
    scale: moneyMeasures[measure] ? moneyScale(formats) : countScale(formats),
  };
}

/** The name of the calls without a subject. */
export function withoutName(
  { dimension, tagKey }: Pick<SpendQuery, "dimension" | "tagKey">,
  { spend }: Catalog,
): string {
  return tagKey === undefined ? spend.without[dimension] : spend.withoutTag(tagKey);
}

/** The log's fields for the calls of the reader or of everyone. */
export function logScope(who: SpendQuery["who"]): Readonly<Record<string, string>> {
  return { who };
}
