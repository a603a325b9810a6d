import { HttpError } from "fresh";
import { A } from "../../../../components/A.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { DeletePrice } from "../../../../components/models/DeletePrice.tsx";
import { PriceForm } from "../../../../components/models/PriceForm.tsx";
import { PriceHistory } from "../../../../components/models/PriceHistory.tsx";
import { PriceNow } from "../../../../components/models/PriceNow.tsx";
import { PriceSchedule } from "../../../../components/models/PriceSchedule.tsx";
import { Rerated } from "../../../../components/models/Rerated.tsx";
import Notice from "../../../../islands/Notice.tsx";
import {
  type ModelPriceData,
  modelPriceData,
} from "../../../../lib/console/models/model_price_data.ts";
import { isModelName } from "../../../../lib/console/models/model_name.ts";
import { priceOf, withUnasked } from "../../../../lib/console/models/price_form.ts";
import { priceRow } from "../../../../lib/console/models/price_rows.ts";
import { readPriceValues } from "../../../../lib/console/models/price_values.ts";
import { rerate } from "../../../../lib/console/models/rerate.ts";
import { deletePrice, setPrice } from "../../../../lib/console/models/set_price.ts";
import { defineForm } from "../../../../lib/console/page/define_form.ts";
import { doneIn } from "../../../../lib/console/page/done_in.ts";
import { seeOther } from "../../../../lib/console/page/see_other.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/**
 * The price of the model `?id=`, with forms to set it now or from a later time, preview it on the
 * last days' usage, or delete it.
 */
export const handler = defineForm<ModelPriceData>({
  async load({ url: { searchParams }, state }) {
    if (searchParams.has("done")) await state.services.directory.refresh(); // shows the new price
    return await modelPriceData(modelIn(searchParams), state);
  },

  async submit(ctx, form, { again }) {
    const { url, state: { services: { store, directory }, nowMs } } = ctx;
    const id = modelIn(url.searchParams);
    const row = priceRow(id, directory, nowMs);
    if (row.source === "declared") throw new HttpError(404);
    const intent = form.get("intent");
    if (intent === "reset" || intent === "unschedule") {
      const from = intent === "reset" ? {} : { from: form.get("begins") ?? "" };
      await deletePrice(id, from, ctx);
      return backTo(id, intent === "reset" ? "deleted" : "removed");
    }
    const values = readPriceValues(form);
    const result = priceOf(values);
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    const price = withUnasked(result.price, row.price);
    if (intent === "try") {
      const rerating = await rerate(store, { model: id, price, directory, nowMs });
      return await again({ values, rerating }, { status: 200 });
    }
    if (!await setPrice(id, { ...result, price }, ctx)) throw new HttpError(404);
    return backTo(id, (result.fromMs ?? 0) > nowMs ? "savedLater" : "saved");
  },
});

function modelIn(fields: URLSearchParams): string {
  const id = (fields.get("id") ?? "").trim();
  if (!isModelName(id)) throw new HttpError(404);
  return id;
}

function backTo(id: string, done: string): Response {
  return seeOther(`/console/admin/prices/model?${new URLSearchParams({ id, done })}`);
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { priceAdmin: texts } = view.catalog;
  const { row, listed, schedule, entries, values, faults = {}, rerating } = data;
  const done = doneIn(url, texts.done);
  const isReadOnly = row.source === "declared";
  return (
    <ConsolePage view={view} title={row.id} place="prices">
      <A class="link back" href="/console/admin/prices">
        <Icon name="arrow-left" small />
        {texts.back}
      </A>
      {done && <Notice text={texts.done[done]} />}
      {rerating && <Rerated view={view} rerating={rerating} />}
      <PriceNow view={view} row={row} listed={listed} />
      {schedule.length > 1 && (
        <PriceSchedule
          view={view}
          id={row.id}
          prices={schedule}
          nowMs={state.nowMs}
          isReadOnly={isReadOnly}
        />
      )}
      {!isReadOnly && <PriceForm view={view} id={row.id} values={values} faults={faults} />}
      {!isReadOnly && schedule.length > 0 && (
        <DeletePrice view={view} id={row.id} listed={listed?.price} />
      )}
      <PriceHistory view={view} entries={entries} />
    </ConsolePage>
  );
});
