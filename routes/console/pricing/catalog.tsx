import { HttpError } from "fresh";
import { Panel } from "../../../components/Panel.tsx";
import { Empty } from "../../../components/States.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { OutdatedPrices, TakePrices } from "../../../components/models/OutdatedPrices.tsx";
import { outdatedPrices, takeListed, takenMax } from "../../../lib/admin/models/price_changes.ts";
import { administers } from "../../../lib/console/models/read_models.ts";
import { seeOther } from "../../../lib/console/page/address.ts";
import { defineForm } from "../../../lib/console/page/form.ts";
import { accountPage } from "../../../lib/console/page/view.ts";

/**
 * For administrators: models whose price differs from the catalog's. One form selects some, a second
 * one confirms.
 */
export const handler = defineForm<CatalogData>({
  load({ state }) {
    if (!administers(state)) throw new HttpError(404);
    return { prices: outdatedPrices(state), chosen: [], choseNothing: false };
  },

  async submit(ctx, form, { load, again }) {
    const { prices } = await load();
    const wanted = new Set(form.getAll("model"));
    const chosen = prices.map(({ id }) => id).filter((id) => wanted.has(id)).slice(0, takenMax);
    if (chosen.length === 0 || form.get("confirm") !== "true") {
      return await again({ chosen, choseNothing: chosen.length === 0 }, { status: 200 });
    }
    return seeOther(`/console/pricing?taken=${await takeListed(chosen, ctx)}`);
  },
});

interface CatalogData {
  readonly prices: ReturnType<typeof outdatedPrices>;
  readonly chosen: readonly string[];
  readonly choseNothing: boolean;
}

export default accountPage<typeof handler>(({ data, view }) => {
  const { priceAdmin: texts } = view.catalog;
  const { prices, chosen, choseNothing } = data;
  if (chosen.length > 0) {
    return (
      <ConsolePage view={view} title={texts.catalogTitle} place="models">
        <TakePrices view={view} models={chosen} />
      </ConsolePage>
    );
  }
  return (
    <ConsolePage view={view} title={texts.catalogTitle} place="models">
      <Panel id="outdated" title={texts.catalogTitle}>
        <p class="hint below">{texts.catalogText}</p>
        {prices.length === 0
          ? <Empty icon="tags" title={texts.catalogNone} text={texts.catalogNoneText} />
          : <OutdatedPrices view={view} prices={prices} choseNothing={choseNothing} />}
      </Panel>
    </ConsolePage>
  );
});
