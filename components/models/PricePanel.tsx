import { sortText } from "../../lib/console/page/list_query.ts";
import {
  type PriceQuery,
  type PriceRow,
  priceSources,
  pricesPath,
  pricesPerPage,
} from "../../lib/console/models/price_rows.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Choice } from "../Choice.tsx";
import { FilterSheet } from "../FilterSheet.tsx";
import { Pager } from "../Pager.tsx";
import { Panel } from "../Panel.tsx";
import { PriceTable } from "./PriceTable.tsx";
import { SearchField } from "../SearchField.tsx";
import { Empty } from "../States.tsx";

interface PricePanelProps {
  readonly view: AccountView;
  readonly query: PriceQuery;
  /** The models that match the query. */
  readonly rows: readonly PriceRow[];
  /** The number of models without the filter. */
  readonly total: number;
}

/** Models and their prices: filters from the address, and the table or an empty state. */
export function PricePanel(props: PricePanelProps) {
  const { view, query, rows, total } = props;
  const { modelPrices: texts, priceAdmin } = view.catalog;
  const start = (query.page - 1) * pricesPerPage;
  const shown = rows.slice(start, start + pricesPerPage);
  const hasMore = rows.length > start + pricesPerPage;
  return (
    <Panel
      id="prices"
      title={rows.length === total ? texts.count(total) : priceAdmin.countOf(rows.length, total)}
      end={total > 0 && <Filters {...props} />}
    >
      {total === 0
        ? <Empty icon="tags" title={texts.empty} text={texts.emptyText} />
        : shown.length === 0
        ? (
          <Empty icon="search" title={priceAdmin.noMatch} text={priceAdmin.noMatchText}>
            <A class="button" href="/console/admin/prices">{priceAdmin.clear}</A>
          </Empty>
        )
        : <PriceTable view={view} query={query} rows={shown} />}
      <Pager
        texts={priceAdmin}
        newest={query.page > 1 ? pricesPath({ ...query, page: 1 }) : undefined}
        older={hasMore ? pricesPath({ ...query, page: query.page + 1 }) : undefined}
      />
    </Panel>
  );
}

function Filters({ view, query }: PricePanelProps) {
  const { modelPrices: texts, priceAdmin } = view.catalog;
  const sources = [
    ...priceSources.map((source) => [source, texts[source]] as const),
    ["outdated", priceAdmin.outdated] as const,
  ];
  return (
    <FilterSheet
      view={view}
      label={priceAdmin.filter}
      used={[query.text, query.source].filter(Boolean).length}
      action="/console/admin/prices"
    >
      <SearchField label={priceAdmin.search} value={query.text} />
      <Choice
        name="source"
        label={texts.source}
        any={priceAdmin.anySource}
        value={query.source}
        options={sources}
      />
      <input type="hidden" name="sort" value={sortText(query)} />
      <button class="button" type="submit">{priceAdmin.filter}</button>
    </FilterSheet>
  );
}
