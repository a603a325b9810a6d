import { page } from "fresh";
import { ConsolePage } from "../../../components/ConsolePage.tsx";
import { PriceForm, PriceTable } from "../../../components/PriceTable.tsx";
import { Empty } from "../../../components/States.tsx";
import Notice from "../../../islands/Notice.tsx";
import { auditChanges } from "../../../lib/console/audit.ts";
import { readForm } from "../../../lib/console/form_body.ts";
import {
  type PriceFaults,
  priceOf,
  priceRows,
  type PriceValues,
  priceWords,
  readPriceForm,
  setPrice,
} from "../../../lib/console/price_form.ts";
import { defineForAccount } from "../../../lib/console/state.ts";
import { accountView } from "../../../lib/console/view.ts";

interface PriceData {
  readonly values: PriceValues;
  readonly faults: PriceFaults;
  readonly isSet: boolean;
}

/** What models cost, and a form that sets what one does. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state: { services: { directory } } }) {
    const isSet = searchParams.get("done") === "saved";
    if (isSet) await directory.refresh(); // what was just set is shown
    return page<PriceData>({ values: readPriceForm(searchParams), faults: {}, isSet });
  },

  async POST(ctx) {
    const { req, state: { services: { store, directory }, nowMs } } = ctx;
    const values = readPriceForm(await readForm(req));
    const price = priceOf(values);
    const refused = (faults: PriceFaults) =>
      page<PriceData>({ values, faults, isSet: false }, { status: 422 });
    if ("faults" in price) return refused(price.faults);
    const { model } = values;
    const before = priceRows(directory, nowMs).find(({ id }) => id === model)?.price;
    const facts = { kind: "model", action: "changed", targetId: model, targetName: model } as const;
    const audit = auditChanges(ctx, facts, priceWords)(before, price);
    if (!await setPrice(store, model, { price, nowMs, audit })) return refused({ model: "fixed" });
    const headers = { location: "/console/admin/prices?done=saved" };
    return new Response(null, { status: 303, headers });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { modelPrices: texts } = view.catalog;
  const { values, faults, isSet } = data;
  const rows = priceRows(state.services.directory, state.nowMs);
  return (
    <ConsolePage view={view} title={texts.title} place="prices">
      {isSet && <Notice text={texts.saved} />}
      <PriceForm view={view} values={values} faults={faults} />
      <section class="panel" aria-labelledby="prices">
        <header>
          <h2 id="prices">{texts.count(rows.length)}</h2>
        </header>
        {rows.length === 0
          ? <Empty icon="tags" title={texts.empty} text={texts.emptyText} />
          : <PriceTable view={view} rows={rows} />}
      </section>
    </ConsolePage>
  );
});
