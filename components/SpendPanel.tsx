import SpendChart from "../islands/SpendChart.tsx";
import { spendChart } from "../lib/console/spend_chart.ts";
import {
  spendDays,
  type Spending,
  spendMeasures,
  type SpendQuery,
} from "../lib/console/spending.ts";
import type { AccountView } from "../lib/console/view.ts";
import { Empty } from "./States.tsx";

/** How the account spends, day by day and model by model. */
export function SpendPanel(
  { view, query, spending }: {
    view: AccountView;
    query: SpendQuery;
    /** Absent where it could not be read. */
    spending: Spending | undefined;
  },
) {
  const { spend, keys } = view.catalog;
  return (
    <section class="panel" aria-labelledby="spend">
      <header>
        <h2 id="spend">{spend.title}</h2>
        <Measures view={view} query={query} />
        <span class="spacer" />
        <Periods view={view} query={query} />
      </header>
      {spending === undefined
        ? (
          <Empty icon="triangle-alert" title={spend.failed}>
            <a class="button" href={view.path} aria-current="false">{keys.retry}</a>
          </Empty>
        )
        : spending.counts.requests === 0
        ? (
          <Empty icon="scroll-text" title={spend.none(query.days)}>
            {query.days < 30 && (
              <a class="button" href={pathOf({ ...query, days: 30 })} aria-current="false">
                {spend.widen}
              </a>
            )}
          </Empty>
        )
        : <SpendChart chart={spendChart(spending, query.measure, view)} />}
    </section>
  );
}

function Measures(
  { view: { catalog: { spend } }, query }: { view: AccountView; query: SpendQuery },
) {
  return (
    <nav class="choice-links" aria-label={spend.measure}>
      {spendMeasures.map((measure) => (
        <a
          href={pathOf({ ...query, measure })}
          aria-current={measure === query.measure ? "true" : "false"}
        >
          {spend.measures[measure]}
        </a>
      ))}
    </nav>
  );
}

function Periods(
  { view: { catalog: { spend } }, query }: { view: AccountView; query: SpendQuery },
) {
  return (
    <nav class="choice-links" aria-label={spend.period}>
      {spendDays.map((days) => (
        <a href={pathOf({ ...query, days })} aria-current={days === query.days ? "true" : "false"}>
          {spend.days(days)}
        </a>
      ))}
    </nav>
  );
}

function pathOf({ days, measure }: SpendQuery): string {
  return `/console?${new URLSearchParams({ days: String(days), by: measure })}`;
}
