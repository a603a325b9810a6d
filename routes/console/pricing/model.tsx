import { HttpError, page } from "fresh";
import { A } from "../../../components/A.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { Calculator } from "../../../components/models/Calculator.tsx";
import { GroupPrices } from "../../../components/models/GroupPrices.tsx";
import { ModelEndpoints } from "../../../components/models/ModelEndpoints.tsx";
import { ModelFacts } from "../../../components/models/ModelFacts.tsx";
import { PricesOverTime } from "../../../components/models/PricesOverTime.tsx";
import { groupsOf } from "../../../lib/console/groups/account_groups.ts";
import { modelMeasures } from "../../../lib/console/models/model_measures.ts";
import {
  currentPrice,
  estimatedCost,
  groupPrice,
  readEstimate,
} from "../../../lib/console/models/model_prices.ts";
import { modelRows } from "../../../lib/console/models/model_rows.ts";
import { priceTimes } from "../../../lib/console/models/price_times.ts";
import { tryLoad } from "../../../lib/console/page/try_load.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { listApiKeys } from "../../../lib/store/api_keys/mod.ts";

/**
 * The price of the model `?name=` in one of the account's groups, `?group=`, with an example call.
 * The URL also holds the calculator's fields.
 */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const { services: { store, directory }, account: { user }, nowMs } = state;
    const groups = groupsOf(user, await listApiKeys(store, { accountId: user.id }), directory);
    const row = modelRows(groups, directory, nowMs)
      .find(({ id }) => id === searchParams.get("name"));
    if (row === undefined) throw new HttpError(404);
    const group = groups.find(({ id }) =>
      row.groups.includes(id) && id === (searchParams.get("group") ?? row.groups[0])
    ) ?? groups.find(({ id }) =>
      row.groups.includes(id)
    );
    const price = currentPrice(row.id, directory, nowMs);
    const estimate = readEstimate(searchParams);
    const reader = { accountId: user.id, nowMs };
    const measures = await tryLoad(modelMeasures(store, new Set([row.id]), reader));
    return page({
      row,
      estimate,
      measure: measures?.get(row.id),
      times: group ? priceTimes(row.id, group, { directory, nowMs }) : [],
      priced: price && group && {
        group,
        price: groupPrice(price, group),
        callNanoUsd: estimatedCost(price, group, estimate).nanoUsd,
      },
    });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { models, prices } = view.catalog;
  const { row, estimate, priced, measure, times } = data;
  return (
    <ConsolePage view={view} title={row.displayName ?? row.id} place="models">
      <A class="link" href="/console/pricing">
        <Icon name="arrow-left" small />
        {models.title}
      </A>
      {priced
        ? (
          <div class="key-halves">
            <div class="stack">
              <GroupPrices view={view} price={priced.price} />
              <ModelFacts view={view} row={row} measure={measure} />
            </div>
            <Calculator
              view={view}
              model={row.id}
              groups={row.groups}
              groupId={priced.group.id}
              estimate={estimate}
              callNanoUsd={priced.callNanoUsd}
            />
          </div>
        )
        : (
          <>
            <p class="soft">{prices.unpriced}</p>
            <ModelFacts view={view} row={row} measure={measure} />
          </>
        )}
      {times.length > 1 && <PricesOverTime view={view} prices={times} />}
      <ModelEndpoints view={view} row={row} origin={url.origin} />
    </ConsolePage>
  );
});
