import type { ComponentChildren } from "preact";
import { type ChartStep, highestSum } from "../../lib/console/charts/chart.ts";
import { callsHref, periodSteps } from "../../lib/console/charts/steps.ts";
import { subjectText } from "../../lib/console/charts/subject_colors.ts";
import { changeInPercent, successOf } from "../../lib/console/overview/figures.ts";
import {
  callsScope,
  colorOf,
  spendChart,
  withoutName,
} from "../../lib/console/overview/spend_chart.ts";
import { logFieldOf, type SpendNames } from "../../lib/console/overview/spend_names.ts";
import {
  dimensionsFor,
  measuresFor,
  type SpendQuery,
} from "../../lib/console/overview/spend_query.ts";
import {
  measureOf,
  moneyMeasures,
  type Spending,
  type SpendRow,
} from "../../lib/console/overview/spending.ts";
import { withQuery } from "../../lib/console/page/address.ts";
import { shortEmail } from "../../lib/console/page/format.ts";
import { stepHref } from "../../lib/console/page/period.ts";
import { periodWords, zoneText } from "../../lib/console/page/period_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { noCounts, type RollupSubject } from "../../lib/store/usage/mod.ts";
import { A } from "../A.tsx";
import { ChoiceLinks } from "../ChoiceLinks.tsx";
import { Panel } from "../Panel.tsx";
import { Failed } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Chart, NoData, NothingInPeriod, Swatch } from "../chart/Chart.tsx";
import { Meter, Sparkline } from "../chart/TinyCharts.tsx";
import { untranslated } from "../untranslated.ts";

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
      <SpendTable view={view} query={query} spending={spending} names={names} />
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

interface SpendTableProps {
  readonly view: AccountView;
  readonly query: SpendQuery;
  readonly spending: Spending;
  readonly names: SpendNames;
}

/** The rows of the breakdown, each a link to its calls. */
function SpendTable(props: SpendTableProps) {
  const { view, query, spending: { rows, whole } } = props;
  const { spend, usage, charts } = view.catalog;
  return (
    <Table
      caption={spend.by[query.dimension]}
      label={spend.by[query.dimension]}
      head={
        <>
          <Column>{spend.dimensions[query.dimension]}</Column>
          <Column from={800}>{spend.trend}</Column>
          <Column number>{usage.calls}</Column>
          <Column number>{spend.success}</Column>
          <Column>{spend.share}</Column>
          {hasToday(query) && <Column number from={800}>{spend.today}</Column>}
          <Column number sort="descending">{shownText(props)}</Column>
          <Column number>{spend.changed}</Column>
        </>
      }
    >
      {rows.map((row, at) => <SpendRowCells key={at} {...props} row={row} at={at} />)}
      <SpendRowCells {...props} row={whole} name={charts.sum} />
    </Table>
  );
}

/** The current day has a column of its own among whole days. */
function hasToday({ span, step }: SpendQuery): boolean {
  return step === undefined && span.step === "day" && span.isRunning;
}

/** The period of the amounts, or the name of the chosen step. */
function shownText({ view, query: { span, step } }: SpendTableProps): string {
  return step === undefined
    ? periodWords(span, view)
    : periodSteps(span, { locale: view.locale, formats: view.formats })[step].name;
}

interface RowProps extends SpendTableProps {
  readonly row: SpendRow;
  /** Its place; absent for the total. */
  readonly at?: number;
  readonly name?: string;
}

function SpendRowCells(props: RowProps) {
  const { view, query, spending, row, at } = props;
  const { measure } = query;
  const { rows, whole: all } = spending;
  const { catalog: { spend, log, usage }, formats } = view;
  const [amount, money] = [measureOf[measure], moneyMeasures[measure]];
  const write = (counts: SpendRow["counts"]) =>
    money ? formats.money(money(counts)) : formats.short(amount(counts));
  const [part, whole] = [amount(row.counts), amount(all.counts)];
  const most = Math.max(...rows.map(({ counts }) => amount(counts)));
  return (
    <Row>
      <NameCell class="name at-name">
        <Name {...props} />
      </NameCell>
      <Cell class="trend from-800">
        {row.subject && <Sparkline amounts={row.points.map(amount)} />}
      </Cell>
      <Cell label={usage.calls} class="number">{formats.count(row.counts.requests)}</Cell>
      <Cell label={spend.success} class="number at-second">
        {successOf(row.counts, formats) ?? log.none}
      </Cell>
      <Cell label={spend.share} class="share at-below">
        {at !== undefined && whole > 0 && (
          <>
            <Meter
              share={most > 0 ? Math.max(0, part / most) : 0}
              color={colorOf(spending, row.subject)}
              width="64"
            />
            {formats.percent(Math.round(100 * part / whole) / 100)}
          </>
        )}
      </Cell>
      {hasToday(query) && (
        <Cell label={spend.today} class="number quiet from-800">
          {write(row.points.at(-1) ?? noCounts)}
        </Cell>
      )}
      <Cell label={spend.spent(shownText(props))} class="number strong at-first">
        {write(row.counts)}
      </Cell>
      <Cell label={spend.changed} class="number">
        {changeInPercent(part, amount(row.before)) ?? log.none}
      </Cell>
    </Row>
  );
}

function Name({ view, query, spending, names, row, at, name }: RowProps) {
  const { catalog, catalog: { spend } } = view;
  if (at === undefined) return <b>{name}</b>;
  const { dimension } = query;
  const { subject, isWithout } = row;
  if (!subject) {
    return (
      <span>
        <Swatch color="rest" />
        {isWithout ? withoutName(query, catalog) : spend.others(spending.othersCount)}
      </span>
    );
  }
  const log = callsScope(query, view);
  const { name: known, keyOwner } = names.get(subjectText(subject)) ?? {};
  const text = (
    <>
      <Swatch color={colorOf(spending, subject)} />
      {known ?? spend.deleted[dimension]}
    </>
  );
  const fields = { ...log, ...logFieldOf(dimension, subject) };
  return (
    <>
      {log
        ? <A href={callsHref(query.span, query.step, fields)} {...untranslated}>{text}</A>
        : <span {...untranslated}>{text}</span>}
      {keyOwner && (
        <span class="owner" title={keyOwner} {...untranslated}>
          {shortEmail(keyOwner, view.user)}
        </span>
      )}
    </>
  );
}
