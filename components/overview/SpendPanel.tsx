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
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Empty, Failed } from "../States.tsx";

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
          <Empty
            icon="scroll-text"
            title={spend.none(spend.periods[query.period])}
            text={lastCallMs === undefined
              ? spend.noneYet
              : spend.lastCall(view.formats.moment(lastCallMs))}
          >
            {query.period !== "30d" && (
              <A class="button" href={spendPath(view, { ...query, period: "30d" })}>
                {spend.widen}
              </A>
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
