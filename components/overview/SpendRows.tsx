import { callsHref, periodSteps } from "../../lib/console/charts/steps.ts";
import { subjectText } from "../../lib/console/charts/subject_colors.ts";
import { changeInPercent, successOf } from "../../lib/console/overview/figures.ts";
import { callsScope, colorOf, withoutName } from "../../lib/console/overview/spend_chart.ts";
import { logFieldOf, type SpendNames } from "../../lib/console/overview/spend_names.ts";
import type { SpendQuery } from "../../lib/console/overview/spend_query.ts";
import {
  measureOf,
  moneyMeasures,
  type Spending,
  type SpendRow,
} from "../../lib/console/overview/spending.ts";
import { shortEmail } from "../../lib/console/page/format.ts";
import { periodWords } from "../../lib/console/page/period_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { noCounts } from "../../lib/store/usage/mod.ts";
import { A } from "../A.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Swatch } from "../chart/Chart.tsx";
import { Meter, Sparkline } from "../chart/TinyCharts.tsx";
import { untranslated } from "../untranslated.ts";

interface SpendRowsProps {
  readonly view: AccountView;
  readonly query: SpendQuery;
  readonly spending: Spending;
  readonly names: SpendNames;
}

/** The rows of the breakdown, each a link to its calls. */
export function SpendRows(props: SpendRowsProps) {
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
function shownText({ view, query: { span, step } }: SpendRowsProps): string {
  return step === undefined
    ? periodWords(span, view)
    : periodSteps(span, { locale: view.locale, formats: view.formats })[step].name;
}

interface RowProps extends SpendRowsProps {
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
