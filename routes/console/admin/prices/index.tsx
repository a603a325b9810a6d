import { page } from "fresh";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { OpenPrice } from "../../../../components/models/OpenPrice.tsx";
import { PricePanel } from "../../../../components/models/PricePanel.tsx";
import { UnpricedPanel } from "../../../../components/models/UnpricedPanel.tsx";
import Notice from "../../../../islands/Notice.tsx";
import { tryLoad } from "../../../../lib/console/page/try_load.ts";
import {
  filterPrices,
  priceRows,
  readPriceQuery,
} from "../../../../lib/console/models/price_rows.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { unpricedUse } from "../../../../lib/console/models/unpriced_use.ts";
import { accountView } from "../../../../lib/console/page/view.ts";

/** What models cost and who says so: `?q=` and `source` say which, `sort` and `page` go on. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const { services: { directory }, nowMs } = state;
    const taken = Number(/^\d{1,3}$/.exec(searchParams.get("taken") ?? "")?.[0] ?? 0);
    if (taken > 0) await directory.refresh(); // what was just changed is shown
    const all = priceRows(directory, nowMs);
    const query = readPriceQuery(searchParams);
    return page({
      query,
      rows: filterPrices(all, query),
      total: all.length,
      outdated: all.filter(({ source, listed }) => source === "own" && listed).length,
      uses: await tryLoad(unpricedUse(state)) ?? [],
      taken,
    });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { modelPrices: texts, priceAdmin } = view.catalog;
  const { query, rows, total, outdated, uses, taken } = data;
  return (
    <ConsolePage view={view} title={texts.title} place="prices">
      {taken > 0 && <Notice text={priceAdmin.taken(taken)} />}
      <UnpricedPanel view={view} uses={uses} />
      <OpenPrice view={view} outdated={outdated} />
      <PricePanel view={view} query={query} rows={rows} total={total} />
    </ConsolePage>
  );
});
