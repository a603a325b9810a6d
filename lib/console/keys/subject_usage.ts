import { type SubjectScope, usageParts, usageTable } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";
import {
  addCounts,
  type Counts,
  noCounts,
  type RollupParts,
  type RollupSubject,
} from "../../store/usage/mod.ts";
import type { ChartColor, ChartSeries } from "../charts/chart.ts";
import type { ChartRank } from "../charts/cursor.ts";
import { colorPlaces, colorsFor, subjectColors, subjectText } from "../charts/subject_colors.ts";
import type { PeriodSpan } from "../page/period.ts";

/** A cost by hour or day, in nano-dollars. */
interface CostSeries {
  /** The id of a key or the name of a model; absent for all others together. */
  readonly value?: string;
  readonly color: ChartColor;
  readonly amounts: readonly number[];
}

/** The usage of a key, an account, a group or a project in a period. */
export interface SteppedUsage {
  readonly span: PeriodSpan;
  readonly total: Counts;
  /** Of each hour or day. */
  readonly calls: readonly Counts[];
  /** By its parts, the highest cost first. */
  readonly cost: readonly CostSeries[];
}

/** The parts of a whole: the keys of an account, or the models of a key. */
interface Parts {
  readonly whole: RollupSubject;
  /** Absent for a whole without parts. */
  readonly parts?: SubjectScope;
}

/** Reads the usage of a period. */
export async function readSubjectUsage(
  store: Store,
  { whole, parts }: Parts,
  { span, nowMs }: { readonly span: PeriodSpan; readonly nowMs: number },
): Promise<SteppedUsage> {
  const steps = { startsMs: span.starts, toMs: span.toMs };
  const [calls, named] = await Promise.all([
    usageParts(store, whole, steps),
    parts ? partSeries(store, parts, { steps, nowMs }) : [],
  ]);
  return {
    ...{ span, calls },
    total: calls.reduce(addCounts, noCounts),
    cost: withRest(calls, named),
  };
}

/** The parts with the highest cost, each in a color of its own. */
async function partSeries(
  store: Store,
  parts: NonNullable<Parts["parts"]>,
  { steps, nowMs }: { readonly steps: RollupParts; readonly nowMs: number },
): Promise<readonly CostSeries[]> {
  const [table, places] = await Promise.all([
    usageTable(store, parts, steps),
    colorPlaces(store, parts, nowMs),
  ]);
  const used = table.map(({ subject, parts }) => ({
    subject,
    cost: parts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n),
    amounts: parts.map(({ costNanoUsd }) => Number(costNanoUsd)),
  })).filter(({ cost }) => cost > 0n).sort((a, b) => a.cost < b.cost ? 1 : -1);
  const top = used.slice(0, subjectColors.length);
  const colors = colorsFor(top.map(({ subject }) => subject), places);
  return top.map(({ subject, amounts }) => ({
    value: subject.value,
    color: colors.get(subjectText(subject)) ?? "rest",
    amounts,
  }));
}

/** Adds what the parts leave of the whole, if anything. */
function withRest(calls: readonly Counts[], named: readonly CostSeries[]): CostSeries[] {
  const rest = calls.map(({ costNanoUsd }, step) =>
    Math.max(0, named.reduce((left, { amounts }) => left - amounts[step], Number(costNanoUsd)))
  );
  const color = named.length > 0 ? "rest" : subjectColors[0];
  return rest.some((cost) => cost > 0) ? [...named, { color, amounts: rest }] : [...named];
}

/** The series of a chart, the others in grey; a whole without parts has the first color. */
export function costSeries(
  { cost }: SteppedUsage,
  { nameOf = (value) => value, others }: {
    readonly nameOf?: (value: string) => string;
    readonly others: string;
  },
): ChartSeries[] {
  return cost.map(({ value, color, amounts }) => ({
    name: value === undefined ? others : nameOf(value),
    color,
    amounts,
  }));
}

/** The parts of each step in their own order. */
export function costRanks(series: readonly ChartSeries[]): readonly (readonly ChartRank[])[] {
  const steps = series[0]?.amounts ?? [];
  return steps.map((_, step) =>
    series.map(({ name, color, amounts }) => ({ name, color, amount: amounts[step] ?? 0 }))
      .filter(({ amount }) => amount > 0)
      .sort((a, b) =>
        Number(a.color === "rest") - Number(b.color === "rest") || b.amount - a.amount
      )
  );
}
