import { topUsage, usageSeries } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { RollupSubject } from "../../store/usage/mod.ts";
import type { ChartSeries } from "../charts/chart.ts";

/** The cost of one subject by day, in nano-dollars. */
interface CostSeries {
  /** The id of a key or the name of a model; absent for all others together. */
  readonly value?: string;
  readonly amounts: readonly number[];
}

/** The cost of an account or a key by day and by its parts, the highest cost first. */
export interface DailyCost {
  /** The starts of the UTC days. */
  readonly starts: readonly number[];
  readonly series: readonly CostSeries[];
}

/** The parts of a whole: the keys of an account, or the models of a key. */
interface Parts extends Pick<RollupSubject, "dimension" | "scope"> {
  readonly whole: RollupSubject;
}

const dayMs = 86_400_000;
const partsShown = 4;

/** Reads the cost of the last days, today included. */
export async function readDailyCost(
  store: Store,
  { whole, dimension, scope }: Parts,
  { days, nowMs }: { readonly days: number; readonly nowMs: number },
): Promise<DailyCost> {
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  const period = { fromMs: toMs - days * dayMs, toMs };
  const options = { dimension, accountId: scope, by: "costNanoUsd", limit: partsShown } as const;
  const { top } = await topUsage(store, period, options);
  const costs = async (subject: RollupSubject) => {
    const points = await usageSeries(store, subject, { ...period, step: "day" });
    return points.map(({ counts }) => Number(counts.costNanoUsd));
  };
  const [all, ...parts] = await Promise.all(
    [whole, ...top.map(({ subject }) => subject)].map(costs),
  );
  const rest = all.map((cost, day) =>
    Math.max(0, parts.reduce((left, amounts) => left - amounts[day], cost))
  );
  const named = parts.map((amounts, at) => ({ value: top[at].subject.value, amounts }));
  return {
    starts: all.map((_, day) => period.fromMs + day * dayMs),
    series: rest.some((cost) => cost > 0) ? [...named, { amounts: rest }] : named,
  };
}

/** The series of a chart, the others in grey. */
export function costSeries(
  { series }: DailyCost,
  nameOf: (value: string) => string,
  others: string,
): ChartSeries[] {
  const colors = [1, 2, 3, 4] as const;
  return series.map(({ value, amounts }, at) => ({
    name: value === undefined ? others : nameOf(value),
    color: value === undefined ? 5 : colors[at],
    amounts,
  }));
}
