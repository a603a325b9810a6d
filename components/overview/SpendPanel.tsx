import { highestSum } from "../../lib/console/charts/chart.ts";
import { spendChart } from "../../lib/console/overview/spend_chart.ts";
import {
  type Spending,
  spendMeasures,
  spendPeriodNames,
  spendPeriods,
  type SpendQuery,
} from "../../lib/console/overview/spending.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Failed } from "../States.tsx";
import { Chart } from "../chart/Chart.tsx";
import { NoData } from "../chart/NoData.tsx";

/** Spending by day and model. */
export function SpendPanel(
  { view, query, spending, lastCallMs }: {
    view: AccountView;
    query: SpendQuery;
    /** Absent if reading failed. */
    spending: Spending | undefined;
    /** Absent if the account has no calls. */
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
          <NoData
            text={`${spend.none(spend.periods[query.period])}. ${
              lastCallMs === undefined
                ? spend.noneYet
                : spend.lastCall(view.formats.moment(lastCallMs))
            }`}
          >
            {query.period !== "30d" && (
              <A class="button small" href={spendPath(view, { ...query, period: "30d" })}>
                {spend.widen}
              </A>
            )}
          </NoData>
        )
        : <Chosen view={view} query={query} spending={spending} />}
    </Panel>
  );
}

function Chosen(
  { view, query: { measure, period }, spending }: {
    view: AccountView;
    query: SpendQuery;
    spending: Spending;
  },
) {
  const { spend } = view.catalog;
  const chart = spendChart(spending, measure, view);
  if (highestSum(chart.series) === 0) {
    return <NoData text={spend.nothing[measure](spend.periods[period])} />;
  }
  return (
    <>
      <Chart view={view} id="spend-chart" label={spend.title} {...chart} />
      {spendPeriods[period].step === "day" && <p class="hint below">{spend.daysOfUtc}</p>}
    </>
  );
}

function Measures(
  { view, query }: { view: AccountView; query: SpendQuery },
) {
  const { catalog: { spend } } = view;
  return (
    <nav class="choice-links" aria-label={spend.measure}>
      {spendMeasures.map((measure) => (
        <A href={spendPath(view, { ...query, measure })} current={measure === query.measure}>
          {spend.measures[measure]}
        </A>
      ))}
    </nav>
  );
}

function Periods(
  { view, query }: { view: AccountView; query: SpendQuery },
) {
  const { catalog: { spend } } = view;
  return (
    <nav class="choice-links" aria-label={spend.period}>
      {spendPeriodNames.map((period) => (
        <A
          key={period}
          href={spendPath(view, { ...query, period })}
          current={period === query.period}
        >
          {spend.periods[period]}
        </A>
      ))}
    </nav>
  );
}

/** The same page, whosever data it shows, with another choice. */
function spendPath({ path }: AccountView, { period, measure }: SpendQuery): string {
  const url = new URL(path, "http://localhost");
  url.searchParams.set("period", period);
  url.searchParams.set("by", measure);
  return url.pathname + url.search;
}
