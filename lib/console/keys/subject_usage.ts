import { topUsage, usageSeries } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";
import { addCounts, type Counts, noCounts, type RollupSubject } from "../../store/usage/mod.ts";
import type { ChartSeries } from "../charts/chart.ts";
import { type PeriodName, type PeriodSpan, spanOf } from "../page/period.ts";

/** A cost by hour or day, in nano-dollars. */
interface CostSeries {
  /** The id of a key or the name of a model; absent for all others together. */
  readonly value?: string;
  readonly amounts: readonly number[];
}

/** The usage of a key, an account, a group or a project in a period. */
export interface SteppedUsage {
  readonly period: PeriodName;
  readonly span: PeriodSpan;
  /** The starts of the hours or days. */
  readonly starts: readonly number[];
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
  readonly parts?: Pick<RollupSubject, "dimension" | "scope">;
}

const partsShown = 4;

/** Reads the usage of a period up to now. */
export async function readSubjectUsage(
  store: Store,
  { whole, parts }: Parts,
  { period, nowMs }: { readonly period: PeriodName; readonly nowMs: number },
): Promise<SteppedUsage> {
  const span = spanOf(period, nowMs);
  const points = (subject: RollupSubject) => usageSeries(store, subject, span);
  const [all, top] = await Promise.all([points(whole), parts ? topOf(store, parts, span) : []]);
  const named = await Promise.all(top.map(async (subject) => ({
    value: subject.value,
    amounts: (await points(subject)).map(({ counts }) => Number(counts.costNanoUsd)),
  })));
  const calls = all.map(({ counts }) => counts);
  return {
    ...{ period, span, calls },
    starts: all.map(({ atMs }) => atMs),
    total: calls.reduce(addCounts, noCounts),
    cost: withRest(calls, named),
  };
}

async function topOf(
  store: Store,
  { dimension, scope }: NonNullable<Parts["parts"]>,
  span: PeriodSpan,
): Promise<readonly RollupSubject[]> {
  const options = { dimension, accountId: scope, by: "costNanoUsd", limit: partsShown } as const;
  return (await topUsage(store, span, options)).top.map(({ subject }) => subject);
}

/** Adds what the parts leave of the whole, if anything. */
function withRest(calls: readonly Counts[], named: readonly CostSeries[]): CostSeries[] {
  const rest = calls.map(({ costNanoUsd }, step) =>
    Math.max(0, named.reduce((left, { amounts }) => left - amounts[step], Number(costNanoUsd)))
  );
  return rest.some((cost) => cost > 0) ? [...named, { amounts: rest }] : [...named];
}

const colors = [1, 2, 3, 4] as const;

/** The series of a chart, the others in grey; a whole without parts has the first color. */
export function costSeries(
  { cost }: SteppedUsage,
  { nameOf = (value) => value, others }: {
    readonly nameOf?: (value: string) => string;
    readonly others: string;
  },
): ChartSeries[] {
  return cost.map(({ value, amounts }, at) => ({
    name: value === undefined ? others : nameOf(value),
    color: value === undefined && cost.length > 1 ? 5 : colors[at] ?? 5,
    amounts,
  }));
}
