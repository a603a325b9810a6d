import type { Counts, RollupSubject } from "../../store/usage/mod.ts";
import {
  type ChartColor,
  type ChartScale,
  type ChartSeries,
  type ChartStep,
  countScale,
  moneyScale,
} from "../charts/chart.ts";
import type { ChartRank } from "../charts/cursor.ts";
import { periodSteps } from "../charts/steps.ts";
import { subjectText } from "../charts/subject_colors.ts";
import type { Catalog } from "../i18n/mod.ts";
import { stepHref } from "../page/period.ts";
import type { AccountView } from "../page/view.ts";
import type { SpendQuery } from "./spend_query.ts";
import { measureOf, moneyMeasures, type Spending } from "./spending.ts";

/** The chart of a breakdown: its first rows, and all others together. */
interface SpendChart {
  readonly steps: readonly ChartStep[];
  readonly series: readonly ChartSeries[];
  readonly ranks: readonly (readonly ChartRank[])[];
  readonly scale: ChartScale;
}

/** The color of a subject, in the chart and beside its name. */
export function colorOf({ colors }: Spending, subject: RollupSubject | undefined): ChartColor {
  return subject && colors.get(subjectText(subject)) || "rest";
}

interface ChartWords {
  readonly view: AccountView;
  readonly nameOf: (subject: RollupSubject) => string;
}

/** The chart of the period: each step is a link that shows its subjects alone in the table. */
export function spendChart(
  spending: Spending,
  query: SpendQuery,
  { view, nameOf }: ChartWords,
): SpendChart {
  const { catalog: { spend }, formats, locale } = view;
  const { measure, step } = query;
  const { span, total, top } = spending;
  const gain = (counts: Counts) => Math.max(0, measureOf[measure](counts)); // bars show no loss
  const series = top.flatMap(({ subject, points }): ChartSeries[] =>
    subject
      ? [{ name: nameOf(subject), color: colorOf(spending, subject), amounts: points.map(gain) }]
      : []
  );
  const rest = restOf(total.points.map(gain), series.map(({ amounts }) => amounts));
  const hasRest = rest.some((amount) => amount > 0);
  const href = (startMs: number) =>
    stepHref(view.path, step !== undefined && span.starts[step] === startMs ? undefined : startMs);
  return {
    steps: periodSteps(span, { formats, locale, href }),
    series: hasRest ? [...series, { name: spend.rest, color: "rest", amounts: rest }] : series,
    ranks: ranksOf(spending, query, { view, nameOf }),
    scale: moneyMeasures[measure] ? moneyScale(formats) : countScale(formats),
  };
}

/** Each amount without its parts. */
function restOf(
  whole: readonly number[],
  parts: readonly (readonly (number | undefined)[])[],
): readonly number[] {
  return whole.map((amount, at) =>
    Math.max(0, parts.reduce((left, part) => left - (part[at] ?? 0), amount))
  );
}

/** The subjects of each step with the highest amounts, all others together, and calls without one. */
function ranksOf(
  spending: Spending,
  query: SpendQuery,
  { view: { catalog }, nameOf }: ChartWords,
): readonly (readonly ChartRank[])[] {
  const amountOf = measureOf[query.measure];
  return spending.ranks.map(({ top, others, without }) => {
    const ranks = top.map(({ subject, counts }): ChartRank => ({
      name: nameOf(subject),
      color: colorOf(spending, subject),
      amount: amountOf(counts),
    }));
    const rest = [
      { name: catalog.spend.rest, color: "rest", amount: amountOf(others) },
      { name: withoutName(query, catalog), color: "rest", amount: amountOf(without) },
    ] as const;
    return [...ranks, ...rest.filter(({ amount }) => amount > 0)];
  });
}

/** The name of the calls without a subject. */
export function withoutName(
  { dimension, tagKey }: Pick<SpendQuery, "dimension" | "tagKey">,
  { spend }: Catalog,
): string {
  return tagKey === undefined ? spend.without[dimension] : spend.withoutTag(tagKey);
}

/** The log's fields for the calls of a breakdown; undefined for readers who may not see them. */
export function callsScope(
  { who, projectId }: Pick<SpendQuery, "who" | "projectId">,
  { may }: Pick<AccountView, "may">,
): Readonly<Record<string, string>> | undefined {
  if (projectId === undefined) return logScope(who);
  return may("calls:read") ? { who: "everyone", project: projectId } : undefined;
}

/** The log's fields for the calls of the reader or of everyone. */
export function logScope(who: SpendQuery["who"]): Readonly<Record<string, string>> {
  return { who };
}
