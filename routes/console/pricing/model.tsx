import { type Context, HttpError, page } from "fresh";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { Calculator } from "../../../components/models/Calculator.tsx";
import { CodeExamples } from "../../../components/models/CodeExamples.tsx";
import { ManagedPrice } from "../../../components/models/ManagedPrice.tsx";
import { ModelFigures } from "../../../components/models/ModelFigures.tsx";
import { ModelHead } from "../../../components/models/ModelHead.tsx";
import { PricePanel } from "../../../components/models/PricePanel.tsx";
import { ModelRoute } from "../../../components/models/ModelRoute.tsx";
import { PerformancePanel } from "../../../components/models/PerformancePanel.tsx";
import { type Undo, UndoNotice } from "../../../components/layout/UndoNotice.tsx";
import { isModelName, modelPath } from "../../../lib/console/models/model_name.ts";
import {
  administers,
  type ManagedModel,
  type ModelPageData,
  readModelPage,
} from "../../../lib/console/models/model_page.ts";
import { priceOf, withUnasked } from "../../../lib/console/models/price_form.ts";
import { type PriceRow, priceRow } from "../../../lib/console/models/price_rows.ts";
import { priceValues, readPriceValues } from "../../../lib/console/models/price_values.ts";
import { rerate } from "../../../lib/console/models/rerate.ts";
import { deletePrice, setPrice } from "../../../lib/console/models/set_price.ts";
import { defineForm } from "../../../lib/console/page/define_form.ts";
import { doneIn } from "../../../lib/console/page/done_in.ts";
import { type Flash, seeOtherWith, takeFlash } from "../../../lib/console/page/flash.ts";
import { seeOther } from "../../../lib/console/page/see_other.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import { type AccountState, defineForAccount } from "../../../lib/console/session/state.ts";

async function load({ url, state }: Context<AccountState>): Promise<ModelPageData> {
  if (url.searchParams.has("done")) await state.services.directory.refresh(); // shows the new price
  return await readModelPage(url, state);
}

/**
 * A model: performance, code examples and price. Administrators set its price here, from now or a
 * later time, preview it on the last days' usage, or delete it.
 */
const form = defineForm<ModelPageData>({
  load,

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
    if ((result.fromMs ?? 0) > nowMs) return seeOther(modelPath(id, { done: "savedLater" }));
    return await seeOtherWith(setFlash(row), modelPath(id, { done: "saved" }), state);
  },
});

export const handler = {
  ...form,

  async GET(ctx: Context<AccountState>) {
    const headers = new Headers();
    const flash = await takeFlash(ctx.req, headers, ctx.state);
    return page<ModelPageData>({ ...await load(ctx), flash }, { headers });
  },
};

/** The former price, to set it again. */
function setFlash({ source, price }: PriceRow): Flash {
  if (source !== "own") return { type: "price-set" };
  const filled = Object.entries(priceValues(price)).filter(([, value]) => value !== "");
  return { type: "price-set", before: Object.fromEntries(filled) };
}

/** The form that sets the former price again, or the catalog's. */
function undoOf(id: string, flash: Flash | undefined): Undo | undefined {
  if (flash?.type !== "price-set") return undefined;
  return { path: modelPath(id), fields: Object.entries(flash.before ?? { intent: "reset" }) };
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { priceAdmin } = view.catalog;
  const { row, group, priced, performance, managed } = data;
  const done = doneIn(url, priceAdmin.done);
  const isOwnSpend = managed === undefined;
  return (
    <ConsolePage view={view} title={row.id} place="models">
      {done && (
        <UndoNotice view={view} text={priceAdmin.done[done]} undo={undoOf(row.id, data.flash)} />
      )}
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
