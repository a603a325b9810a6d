import { highestSum } from "../../lib/console/charts/chart.ts";
import { changeInPercent, successOf } from "../../lib/console/overview/figures.ts";
import {
  colorOf,
  logScope,
  spendChart,
  withoutName,
} from "../../lib/console/overview/spend_chart.ts";
import {
  measuresFor,
  ownDimensions,
  spendDimensions,
  type SpendQuery,
} from "../../lib/console/overview/spend_query.ts";
import {
  logFieldOf,
  measureOf,
  moneyMeasures,
  type Spending,
  type SpendName,
  type SpendRow,
} from "../../lib/console/overview/spending.ts";
import { withQuery } from "../../lib/console/page/address.ts";
import { shortEmail } from "../../lib/console/page/format.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
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
  readonly names: readonly SpendName[];
  readonly tagKeys: readonly string[];
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
      <TagKeys view={view} query={query} tagKeys={props.tagKeys} />
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
      <nav class="choice-links" aria-label={spend.tagKey} {...untranslated}>
        {tagKeys.map((key) => (
          <A key={key} href={withQuery(path, { tag_key: key })} current={key === query.tagKey}>
            {key}
          </A>
        ))}
      </nav>
    </div>
  );
}

function Measures({ view, query }: { view: AccountView; query: SpendQuery }) {
  const { catalog: { spend }, path, user } = view;
  return (
    <nav class="choice-links" aria-label={spend.measure}>
      {measuresFor(user).map((measure) => (
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

interface SpendTableProps {
  readonly view: AccountView;
  readonly query: SpendQuery;
  readonly spending: Spending;
  readonly names: readonly SpendName[];
}

/** The rows of the breakdown, each a link to its calls. */
function SpendTable(props: SpendTableProps) {
  const { view, query, spending: { rows, span, total } } = props;
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
          {span.step === "day" && <Column number from={800}>{spend.today}</Column>}
          <Column number sort="descending">{spend.periods[query.period]}</Column>
          <Column number>{spend.changed}</Column>
        </>
      }
    >
      {rows.map((row, at) => <SpendRowCells key={at} {...props} row={row} at={at} />)}
      <SpendRowCells {...props} row={total} name={charts.sum} />
    </Table>
  );
}

interface RowProps extends SpendTableProps {
  readonly row: SpendRow;
  /** Its place; absent for the total. */
  readonly at?: number;
  readonly name?: string;
}

function SpendRowCells(props: RowProps) {
  const { view, query: { measure }, spending: { rows, span, total }, row, at } = props;
  const { catalog: { spend, log, usage }, formats } = view;
  const [amount, money] = [measureOf[measure], moneyMeasures[measure]];
  const write = (counts: SpendRow["counts"]) =>
    money ? formats.money(money(counts)) : formats.short(amount(counts));
  const [part, whole] = [amount(row.counts), amount(total.counts)];
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
            <Meter share={most > 0 ? Math.max(0, part / most) : 0} color={colorOf(at)} width="64" />
            {formats.percent(Math.round(100 * part / whole) / 100)}
          </>
        )}
      </Cell>
      {span.step === "day" && (
        <Cell label={spend.today} class="number quiet from-800">{write(row.last)}</Cell>
      )}
      <Cell label={spend.spent(spend.periods[props.query.period])} class="number strong at-first">
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
  const { dimension, who } = query;
  const { subject, isWithout } = row;
  if (!subject) {
    return (
      <span>
        <Swatch color={5} />
        {isWithout ? withoutName(query, catalog) : spend.others(spending.othersCount)}
      </span>
    );
  }
  const from = new Date(spending.span.fromMs).toISOString();
  const fields = { ...logScope(who), ...logFieldOf(dimension, subject), from };
  const { name: known, keyOwner } = names[at];
  return (
    <>
      <A href={`/console/log?${new URLSearchParams(fields)}`} {...untranslated}>
        <Swatch color={colorOf(at)} />
        {known ?? spend.deleted[dimension]}
      </A>
      {keyOwner && (
        <span class="owner" title={keyOwner} {...untranslated}>
          {shortEmail(keyOwner, view.user)}
        </span>
      )}
    </>
  );
}
