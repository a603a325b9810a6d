import { changeInPercent, successOf } from "../../lib/console/overview/figures.ts";
import { colorOf, logScope } from "../../lib/console/overview/spend_chart.ts";
import { logFieldOf, type SpendName } from "../../lib/console/overview/spend_names.ts";
import type { SpendQuery } from "../../lib/console/overview/spend_query.ts";
import { measured, type Spending, type SpendRow } from "../../lib/console/overview/spending.ts";
import { shortEmail } from "../../lib/console/page/short_email.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Swatch } from "../chart/Readout.tsx";
import { Sparkline } from "../chart/Sparkline.tsx";
import { untranslated } from "../untranslated.ts";
import { Meter } from "../chart/Meter.tsx";

interface SpendTableProps {
  readonly view: AccountView;
  readonly query: SpendQuery;
  readonly spending: Spending;
  readonly names: readonly SpendName[];
}

/** The rows of the breakdown, each a link to its calls. */
export function SpendTable(props: SpendTableProps) {
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
  const amount = measured[measure];
  const write = (counts: SpendRow["counts"]) =>
    measure === "cost" ? formats.money(counts.costNanoUsd) : formats.short(amount(counts));
  const [part, whole] = [amount(row.counts), amount(total.counts)];
  const most = Math.max(...rows.map(({ counts }) => amount(counts)));
  return (
    <Row>
      <NameCell class="name at-name">
        <Name {...props} />
      </NameCell>
      <Cell class="trend from-800">
        {at !== undefined && <Sparkline amounts={row.points.map(amount)} />}
      </Cell>
      <Cell label={usage.calls} class="number">{formats.count(row.counts.requests)}</Cell>
      <Cell label={spend.success} class="number at-second">
        {successOf(row.counts, formats) ?? log.none}
      </Cell>
      <Cell label={spend.share} class="share at-below">
        {at !== undefined && whole > 0 && (
          <>
            <Meter share={most > 0 ? part / most : 0} color={colorOf(at)} width="64" />
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

function Name({ view, query, spending, names, row: { subject }, at, name }: RowProps) {
  const { spend } = view.catalog;
  if (at === undefined) return <b>{name}</b>;
  const { dimension, who } = query;
  if (!subject) {
    const others = spending.othersCount;
    return (
      <span>
        <Swatch color={5} />
        {others > 0 ? spend.others(others) : spend.without[dimension]}
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
