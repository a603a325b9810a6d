import { highestSum } from "../../lib/console/charts/chart.ts";
import { spendChart } from "../../lib/console/overview/spend_chart.ts";
import type { SpendName } from "../../lib/console/overview/spend_names.ts";
import {
  ownDimensions,
  spendDimensions,
  spendMeasures,
  type SpendQuery,
} from "../../lib/console/overview/spend_query.ts";
import type { Spending } from "../../lib/console/overview/spending.ts";
import { withQuery } from "../../lib/console/page/with_query.ts";
import { shortEmail } from "../../lib/console/page/short_email.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Failed } from "../States.tsx";
import { Chart } from "../chart/Chart.tsx";
import { NoData, NothingInPeriod } from "../chart/NoData.tsx";
import { SpendTable } from "./SpendTable.tsx";

interface SpendPanelProps {
  readonly view: AccountView;
  readonly query: SpendQuery;
  /** Absent if reading failed. */
  readonly spending: Spending | undefined;
  readonly names: readonly SpendName[];
  /** Absent if there are no calls. */
  readonly lastCallMs: number | undefined;
}

/** Spend by day, broken down by user, key, model and so on, as a chart and as a table. */
export function SpendPanel(props: SpendPanelProps) {
  const { view, query, spending, lastCallMs } = props;
  const { spend } = view.catalog;
  return (
    <Panel
      id="spend"
      class="spend"
      title={spend.title}
      beside={<Dimensions view={view} query={query} />}
      end={<Measures view={view} query={query} />}
    >
      {spending === undefined
        ? <Failed view={view} title={spend.failed} />
        : spending.total.counts.requests === 0
        ? <NothingInPeriod view={view} period={query.period} lastCallMs={lastCallMs} />
        : <Broken {...props} spending={spending} />}
    </Panel>
  );
}

function Broken(props: SpendPanelProps & { spending: Spending }) {
  const { view, query, spending, names } = props;
  const { spend } = view.catalog;
  const texts = names.map(({ name }) =>
    name === undefined ? spend.deleted[query.dimension] : shortEmail(name, view.user)
  );
  const chart = spendChart(spending, query, { view, names: texts });
  const label = spend.by[query.dimension];
  return (
    <>
      {highestSum(chart.series) === 0
        ? <NoData text={spend.nothing[query.measure](spend.periods[query.period])} />
        : <Chart view={view} id="spend-chart" label={label} {...chart} />}
      <SpendTable view={view} query={query} spending={spending} names={names} />
      <p class="hint below">
        {spending.span.step === "day" && <span>{spend.daysOfUtc}</span>}
        <A class="link" href={view.path.replace("/console", "/console/export")}>
          {spend.exportCsv}
        </A>
      </p>
    </>
  );
}

function Dimensions({ view, query }: { view: AccountView; query: SpendQuery }) {
  const { catalog: { spend }, path } = view;
  const dimensions = query.who === "mine" ? ownDimensions : spendDimensions;
  return (
    <nav class="choice-links" aria-label={spend.dimension}>
      {dimensions.map((by) => (
        <A key={by} href={withQuery(path, { by })} current={by === query.dimension}>
          {spend.dimensions[by]}
        </A>
      ))}
    </nav>
  );
}

function Measures({ view, query }: { view: AccountView; query: SpendQuery }) {
  const { catalog: { spend }, path } = view;
  return (
    <nav class="choice-links" aria-label={spend.measure}>
      {spendMeasures.map((measure) => (
        <A
          key={measure}
          href={withQuery(path, { measure })}
          current={measure === query.measure}
        >
          {spend.measures[measure]}
        </A>
      ))}
    </nav>
  );
}
