import {
  listedRates,
  modelPricePath,
  priceList,
  type PriceRow,
  priceSources,
} from "../../lib/console/models/price_rows.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A, type ColumnsOf, ListPanel, type PanelProps, Status, untranslated } from "../list.ts";

/** The prices of all models, with their sources. */
export function PricePanel(props: PanelProps<typeof priceList>) {
  const { modelPrices: texts, priceAdmin } = props.view.catalog;
  return (
    <ListPanel
      {...props}
      id="prices"
      list={priceList}
      texts={{ ...texts, noMatch: priceAdmin.noMatch }}
      icon="tags"
      oneLine
      columns={columns(props.view)}
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
): ColumnsOf<typeof priceList> {
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
