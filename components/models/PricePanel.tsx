import {
  listedRates,
  modelPricePath,
  priceList,
  type PriceQuery,
  type PriceRow,
  priceSources,
} from "../../lib/console/models/price_rows.ts";
import type { ListPage } from "../../lib/console/page/define_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { ListPanel } from "../ListPanel.tsx";
import type { TableColumn } from "../ListTable.tsx";
import { Status } from "../States.tsx";
import { untranslated } from "../untranslated.ts";

/** The prices of all models, with their sources. */
export function PricePanel({ view, query, page }: {
  view: AccountView;
  query: PriceQuery;
  page: ListPage<PriceRow>;
}) {
  const { modelPrices: texts, priceAdmin } = view.catalog;
  return (
    <ListPanel
      view={view}
      id="prices"
      list={priceList}
      query={query}
      page={page}
      texts={{ ...texts, noMatch: priceAdmin.noMatch }}
      icon="tags"
      oneLine
      columns={columns(view)}
      keyOf={({ id }) => id}
      filters={[
        { name: "q", label: priceAdmin.search },
        {
          name: "source",
          label: texts.source,
          any: priceAdmin.anySource,
          options: [
            ...priceSources.map((source) => [source, texts[source]] as const),
            ["outdated", priceAdmin.outdated],
          ],
        },
      ]}
    />
  );
}

function columns(
  view: AccountView,
): readonly TableColumn<PriceRow, PriceQuery["sort"]["column"]>[] {
  const { catalog: { modelPrices: texts }, formats } = view;
  return [
    {
      head: texts.model,
      sort: "model",
      type: "name",
      cell: ({ id }) => (
        <span {...untranslated}>
          <A href={modelPricePath(id)}>{id}</A>
        </span>
      ),
    },
    { head: texts.source, class: "wrap parts", cell: (row) => <Source view={view} row={row} /> },
    ...listedRates.map((rate) => ({
      head: texts[rate],
      ...((rate === "input" || rate === "output") && { sort: rate }),
      type: "number" as const,
      cell: ({ price }: PriceRow) => {
        const usd = price?.[rate];
        return usd === undefined ? texts.none : formats.usd(usd);
      },
    })),
  ];
}

function Source({ view, row: { source, hasMore, as, listed } }: {
  view: AccountView;
  row: PriceRow;
}) {
  const { modelPrices: texts, priceAdmin } = view.catalog;
  return (
    <>
      <span>
        {source === "nobody" ? <Status tone="bad">{texts.nobody}</Status> : texts[source]}
      </span>
      {hasMore && <span class="part">{texts.more}</span>}
      {as && <span class="part">{priceAdmin.asName(as)}</span>}
      {listed && <span class="part">{priceAdmin.listDiffers}</span>}
    </>
  );
}
