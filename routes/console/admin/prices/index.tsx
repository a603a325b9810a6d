import { page } from "fresh";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { OpenPrice } from "../../../../components/models/OpenPrice.tsx";
import { PricePanel } from "../../../../components/models/PricePanel.tsx";
import { UnpricedPanel } from "../../../../components/models/UnpricedPanel.tsx";
import Notice from "../../../../islands/Notice.tsx";
import { isOutdated, priceList, priceRows } from "../../../../lib/console/models/price_rows.ts";
import { unpricedUse } from "../../../../lib/console/models/unpriced_use.ts";
import { listPage, readQuery } from "../../../../lib/console/page/define_list.ts";
import { tryLoad } from "../../../../lib/console/page/try_load.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/** The prices of all models, as `priceList` selects them. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const { services, nowMs } = state;
    const { directory } = services;
    const taken = Number(/^\d{1,3}$/.exec(searchParams.get("taken") ?? "")?.[0] ?? 0);
    if (taken > 0) await directory.refresh(); // shows the change that was just made
    const all = priceRows(directory, nowMs);
    const query = readQuery(priceList, searchParams);
    return page({
      query,
      list: await listPage(priceList, all, { query, services }),
      outdated: all.filter(isOutdated).length,
      uses: await tryLoad(unpricedUse(state)) ?? [],
      taken,
    });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { modelPrices: texts, priceAdmin } = view.catalog;
  const { query, list, outdated, uses, taken } = data;
  return (
    <ConsolePage view={view} title={texts.title} place="prices">
      {taken > 0 && <Notice text={priceAdmin.taken(taken)} />}
      <UnpricedPanel view={view} uses={uses} />
      <OpenPrice view={view} outdated={outdated} />
      <PricePanel view={view} query={query} page={list} />
    </ConsolePage>
  );
});
