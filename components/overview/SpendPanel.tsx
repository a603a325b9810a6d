import type { ComponentChildren } from "preact";
import { type ChartStep, highestSum } from "../../lib/console/charts/chart.ts";
import { callsHref } from "../../lib/console/charts/steps.ts";
import { subjectText } from "../../lib/console/charts/subject_colors.ts";
import { callsScope, spendChart } from "../../lib/console/overview/spend_chart.ts";
import type { SpendNames } from "../../lib/console/overview/spend_names.ts";
import {
  dimensionsFor,
  measuresFor,
  type SpendQuery,
} from "../../lib/console/overview/spend_query.ts";
import type { Spending } from "../../lib/console/overview/spending.ts";
import { withQuery } from "../../lib/console/page/address.ts";
import { shortEmail } from "../../lib/console/page/format.ts";
import { stepHref } from "../../lib/console/page/period.ts";
import { periodWords, zoneText } from "../../lib/console/page/period_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RollupSubject } from "../../lib/store/usage/mod.ts";
import { A } from "../A.tsx";
import { ChoiceLinks } from "../ChoiceLinks.tsx";
import { Panel } from "../Panel.tsx";
import { Failed } from "../States.tsx";
import { Chart, NoData, NothingInPeriod } from "../chart/Chart.tsx";
import { SpendRows } from "./SpendRows.tsx";

interface SpendPanelProps {
  readonly view: AccountView;
  readonly query: SpendQuery;
  /** Absent if reading failed. */
  readonly spending: Spending | undefined;
  readonly names: SpendNames;
  readonly tagKeys: readonly string[];
  /** Absent if there are no calls. */
  readonly lastCallMs: number | undefined;
  /** The choice of the period, for a page without one elsewhere. */
  readonly period?: ComponentChildren;
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
      end={
        <>
          <Measures view={view} query={query} />
          {props.period}
        </>
      }
    >
      {spending === undefined
        ? <Failed view={view} title={spend.failed} />
        : spending.total.counts.requests === 0
        ? <NothingInPeriod view={view} period={query.span} lastCallMs={lastCallMs} />
        : <Broken {...props} spending={spending} />}
    </Panel>
  );
}

function Broken(props: SpendPanelProps & { spending: Spending }) {
  const { view, query, spending, names } = props;
  const { spend } = view.catalog;
  const nameOf = (subject: RollupSubject) => {
    const { name } = names.get(subjectText(subject)) ?? {};
    return name === undefined ? spend.deleted[query.dimension] : shortEmail(name, view.user);
  };
  const chart = spendChart(spending, query, { view, nameOf });
  const label = spend.by[query.dimension];
  const nothing = () => spend.nothing[query.measure](periodWords(query.span, view));
  return (
    <>
      <TagKeys view={view} query={query} tagKeys={props.tagKeys} />
      {highestSum(chart.series) === 0
        ? <NoData text={nothing()} />
        : <Chart view={view} id="spend-chart" label={label} {...chart} chosen={query.step} />}
      <Step {...props} steps={chart.steps} />
      <SpendRows view={view} query={query} spending={spending} names={names} />
      <p class="hint below">
        <span>{zoneText(query.span, view)}</span>
        <A class="link" href={exportHref(view, query)}>{spend.exportCsv}</A>
      </p>
    </>
  );
}

/** The export of what the page shows. */
function exportHref({ path }: AccountView, { projectId }: SpendQuery): string {
  const { search } = new URL(path, "http://localhost");
  return withQuery(`/console/export${search}`, { project: projectId, done: undefined });
}

/** The step that the table shows, its calls, and the way back to the whole period. */
function Step(
  { view, query, steps }: SpendPanelProps & { steps: readonly ChartStep[] },
) {
  const { span, step } = query;
  if (step === undefined) return null;
  const { periods } = view.catalog;
  const log = callsScope(query, view);
  return (
    <p class="hint step">
      <b>{periods.step(steps[step].name)}</b>
      {log && <A class="link" href={callsHref(span, step, log)}>{periods.showCalls}</A>}
      <A class="link" href={stepHref(view.path, undefined)}>{periods.wholePeriod}</A>
    </p>
  );
}

function Dimensions({ view, query }: { view: AccountView; query: SpendQuery }) {
  const { catalog: { spend }, path } = view;
  return (
    <ChoiceLinks
      label={spend.dimension}
      choices={dimensionsFor(query)}
      chosen={query.dimension}
      hrefOf={(by) => withQuery(path, { by })}
      texts={spend.dimensions}
    />
  );
}

/** The keys of tags, one of which is chosen: a call may have a tag of each. */
function TagKeys(
  { view: { catalog: { spend }, path }, query, tagKeys }: Pick<
    SpendPanelProps,
    "view" | "query" | "tagKeys"
  >,
) {
  if (query.dimension !== "tag" || tagKeys.length === 0) return null;
  return (
    <div class="body">
      <ChoiceLinks
        label={spend.tagKey}
        choices={tagKeys}
        chosen={query.tagKey}
        hrefOf={(key) => withQuery(path, { tag_key: key })}
      />
    </div>
  );
}

function Measures({ view, query }: { view: AccountView; query: SpendQuery }) {
  const { catalog: { spend }, path, user } = view;
  return (
    <ChoiceLinks
      label={spend.measure}
      choices={measuresFor(user)}
      chosen={query.measure}
      hrefOf={(measure) => withQuery(path, { measure })}
      texts={spend.measures}
    />
  );
}
