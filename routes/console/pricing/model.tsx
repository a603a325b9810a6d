import { HttpError } from "fresh";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { Calculator } from "../../../components/models/Calculator.tsx";
import { CodeExamples } from "../../../components/models/CodeExamples.tsx";
import { ManagedPrice } from "../../../components/models/ManagedPrice.tsx";
import { ModelFigures } from "../../../components/models/ModelFigures.tsx";
import { ModelHead } from "../../../components/models/ModelHead.tsx";
import { PricePanel } from "../../../components/models/PricePanel.tsx";
import { ModelRoute } from "../../../components/models/ModelRoute.tsx";
import { PerformancePanel } from "../../../components/models/PerformancePanel.tsx";
import Notice from "../../../islands/Notice.tsx";
import { isModelName, modelPath } from "../../../lib/console/models/model_name.ts";
import {
  administers,
  type ManagedModel,
  type ModelPageData,
  readModelPage,
} from "../../../lib/console/models/model_page.ts";
import { priceOf, withUnasked } from "../../../lib/console/models/price_form.ts";
import { priceRow } from "../../../lib/console/models/price_rows.ts";
import { readPriceValues } from "../../../lib/console/models/price_values.ts";
import { rerate } from "../../../lib/console/models/rerate.ts";
import { deletePrice, setPrice } from "../../../lib/console/models/set_price.ts";
import { defineForm } from "../../../lib/console/page/define_form.ts";
import { doneIn } from "../../../lib/console/page/done_in.ts";
import { seeOther } from "../../../lib/console/page/see_other.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/**
 * A model: performance, code examples and price. Administrators set its price here, from now or a
 * later time, preview it on the last days' usage, or delete it.
 */
export const handler = defineForm<ModelPageData>({
  async load({ url, state }) {
    if (url.searchParams.has("done")) await state.services.directory.refresh(); // shows the new price
    return await readModelPage(url, state);
  },

  async submit(ctx, form, { load, again }) {
    const { url, state, state: { services: { store, directory }, nowMs } } = ctx;
    const id = (url.searchParams.get("name") ?? "").trim();
    if (!administers(state) || !isModelName(id)) throw new HttpError(404);
    const row = priceRow(id, directory, nowMs);
    if (row.source === "declared") throw new HttpError(404);
    const intent = form.get("intent");
    if (intent === "reset" || intent === "unschedule") {
      const from = intent === "reset" ? {} : { from: form.get("begins") ?? "" };
      await deletePrice(id, from, ctx);
      return seeOther(modelPath(id, { done: intent === "reset" ? "deleted" : "removed" }));
    }
    const values = readPriceValues(form);
    const withForm = async (changes: Partial<ManagedModel>) => {
      const { managed } = await load();
      return { ...managed && { managed: { ...managed, values, ...changes } } };
    };
    const result = priceOf(values);
    if (result.type === "invalid") return await again(await withForm({ faults: result.faults }));
    const price = withUnasked(result.price, row.price);
    if (intent === "try") {
      const rerating = await rerate(store, { model: id, price, directory, nowMs });
      return await again(await withForm({ rerating }), { status: 200 });
    }
    if (!await setPrice(id, { ...result, price }, ctx)) throw new HttpError(404);
    return seeOther(modelPath(id, { done: (result.fromMs ?? 0) > nowMs ? "savedLater" : "saved" }));
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { priceAdmin } = view.catalog;
  const { row, group, priced, performance, managed } = data;
  const done = doneIn(url, priceAdmin.done);
  const isOwnSpend = managed === undefined;
  return (
    <ConsolePage view={view} title={row.id} place="models">
      {done && <Notice text={priceAdmin.done[done]} />}
      <ModelHead view={view} data={data} />
      {performance && performance.counts.requests > 0 && (
        <ModelFigures {...{ view, performance, isOwnSpend }} />
      )}
      <PerformancePanel {...{ view, performance, isOwnSpend }} model={row.id} />
      <div class={row.formats.length > 0 ? "model-halves" : undefined}>
        {row.formats.length > 0 && <CodeExamples view={view} origin={url.origin} data={data} />}
        <PricePanel view={view} data={data} />
      </div>
      {managed && <ModelRoute view={view} managed={managed} />}
      {managed && (
        <ManagedPrice view={view} managed={managed} isSetting={url.searchParams.has("set")} />
      )}
      {priced && group && <Calculator {...{ view, row, group, priced }} />}
    </ConsolePage>
  );
});
