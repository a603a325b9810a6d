import {
  listedRates,
  type PriceQuery,
  type PriceRow,
  pricesPath,
} from "../../lib/console/models/price_rows.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { SortColumn } from "../SortColumn.tsx";
import { Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";

interface PriceTableProps {
  readonly view: AccountView;
  readonly query: PriceQuery;
  readonly rows: readonly PriceRow[];
}

/** What each model costs, and who says so. */
export function PriceTable({ view, query, rows }: PriceTableProps) {
  const { modelPrices: texts } = view.catalog;
  return (
    <Table
      oneLine
      caption={texts.caption}
      label={texts.tableLabel}
      head={
        <>
          <PriceSortColumn query={query} column="model" name={texts.model} />
          <Column>{texts.source}</Column>
          {listedRates.map((rate) =>
            rate === "input" || rate === "output"
              ? <PriceSortColumn key={rate} query={query} column={rate} name={texts[rate]} />
              : <Column key={rate} number>{texts[rate]}</Column>
          )}
        </>
      }
    >
      {rows.map((row) => <PriceTableRow key={row.id} view={view} row={row} />)}
    </Table>
  );
}

function PriceSortColumn(
  { query, column, name }: { query: PriceQuery; column: PriceQuery["column"]; name: string },
) {
  return (
    <SortColumn
      sort={query}
      column={column}
      name={name}
      number={column !== "model"}
      href={(sort) => pricesPath({ ...query, ...sort, page: 1 })}
    />
  );
}

function PriceTableRow({ view, row }: { view: AccountView; row: PriceRow }) {
  const { catalog: { modelPrices: texts, priceAdmin }, formats } = view;
  const { id, source, price, hasMore, as, listed } = row;
  return (
    <Row>
      <NameCell>
        <span {...untranslated}>
          <A href={modelPricePath(id)}>{id}</A>
        </span>
      </NameCell>
      <Cell label={texts.source} class="wrap parts">
        <span>
          {source === "nobody" ? <Status tone="bad">{texts.nobody}</Status> : texts[source]}
        </span>
        {hasMore && <span class="part">{texts.more}</span>}
        {as && <span class="part">{priceAdmin.asName(as)}</span>}
        {listed && <span class="part">{priceAdmin.listDiffers}</span>}
      </Cell>
      {listedRates.map((rate) => {
        const usd = price?.[rate];
        return (
          <Cell key={rate} label={texts[rate]} class="number">
            {usd === undefined ? texts.none : formats.usd(usd)}
          </Cell>
        );
      })}
    </Row>
  );
}

export function modelPricePath(id: string): string {
  return `/console/admin/prices/model?${new URLSearchParams({ id })}`;
}
