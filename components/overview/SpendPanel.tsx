import SpendChart from "../../islands/SpendChart.tsx";
import { spendChart } from "../../lib/console/overview/spend_chart.ts";
import {
  type Spending,
  spendMeasures,
  spendPeriodNames,
  spendPeriods,
  type SpendQuery,
} from "../../lib/console/overview/spending.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Panel } from "../Panel.tsx";
import { Empty, Failed } from "../States.tsx";

/** How the account spends, day by day and model by model. */
export function SpendPanel(
  { view, query, spending, lastCallMs }: {
    view: AccountView;
    query: SpendQuery;
    /** Absent where it could not be read. */
    spending: Spending | undefined;
    /** Absent where there is none. */
    lastCallMs: number | undefined;
  },
) {
  const { spend, keys } = view.catalog;
  return (
    <Panel
      id="spend"
      title={spend.title}
      beside={<Measures view={view} query={query} />}
      end={<Periods view={view} query={query} />}
    >
      {spending === undefined
        ? <Failed title={spend.failed} retry={keys.retry} path={view.path} />
        : spending.counts.requests === 0
        ? (
          <Empty
            icon="scroll-text"
            title={spend.none(spend.periods[query.period])}
            text={lastCallMs === undefined
              ? spend.noneYet
              : spend.lastCall(view.formats.moment(lastCallMs))}
          >
            {query.period !== "30d" && (
              <a class="button" href={pathOf({ ...query, period: "30d" })} aria-current="false">
                {spend.widen}
              </a>
            )}
          </Empty>
        )
        : (
          <>
            <SpendChart chart={spendChart(spending, query.measure, view)} />
            {spendPeriods[query.period].step === "day" && (
              <p class="hint below">{spend.daysOfUtc}</p>
            )}
          </>
        )}
    </Panel>
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
      {spendPeriodNames.map((period) => (
        <a
          key={period}
          href={pathOf({ ...query, period })}
          aria-current={period === query.period ? "true" : "false"}
        >
          {spend.periods[period]}
        </a>
      ))}
    </nav>
  );
}

function pathOf({ period, measure }: SpendQuery): string {
  return `/console?${new URLSearchParams({ period, by: measure })}`;
}
