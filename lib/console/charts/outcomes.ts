import type { Catalog } from "../i18n/mod.ts";
import type { ChartSeries } from "./chart.ts";

/** Counted calls of one step. */
interface Outcomes {
  readonly requests: number;
  readonly failures: number;
}

/** Calls by outcome, failures at the bottom. */
export function outcomeSeries(
  steps: readonly Outcomes[],
  { logPage: { failed, succeeded } }: Catalog,
): readonly ChartSeries[] {
  return [
    { name: failed, color: "bad", amounts: steps.map(({ failures }) => failures) },
    {
      name: succeeded,
      color: 1,
      amounts: steps.map(({ requests, failures }) => requests - failures),
    },
  ];
}
