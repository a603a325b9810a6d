import { type Context, HttpError, type PageResponse } from "fresh";
import { FormAlert } from "../../../components/controls.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { type Undo, UndoNotice } from "../../../components/layout/notices.tsx";
import { CodeExamples } from "../../../components/models/CodeExamples.tsx";
import { ManagedPrice } from "../../../components/models/ManagedPrice.tsx";
import {
  ModelFigures,
  ModelHead,
  PerformancePanel,
} from "../../../components/models/ModelHead.tsx";
import { ModelRoute } from "../../../components/models/ModelRoute.tsx";
import { Calculator, PricePanel } from "../../../components/models/PricePanel.tsx";
import { isModelName, priceRow } from "../../../lib/admin/models/model_rows.ts";
import { deletePrice, setPrice } from "../../../lib/admin/models/price_changes.ts";
import { priceOf, readPriceValues, withUnasked } from "../../../lib/admin/models/price_form.ts";
import { rerate } from "../../../lib/admin/models/rerate.ts";
import { modelPath } from "../../../lib/console/models/model_list.ts";
import {
  type ManagedModel,
  type ModelPageData,
  readModelPage,
} from "../../../lib/console/models/model_page.ts";
import {
  assertExpected,
  PriceOvertaken,
  priceUndo,
} from "../../../lib/console/models/price_undo.ts";
import { doneIn, seeOther } from "../../../lib/console/page/address.ts";
import { type Flash, seeOtherWith } from "../../../lib/console/page/flash.ts";
import { defineForm, type FormPage } from "../../../lib/console/page/form.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import type { AccountState } from "../../../lib/console/session/state.ts";
import type { Model } from "../../../lib/store/catalog/mod.ts";

/**
 * A model: performance, code examples and price. Administrators set its price here, from now or a
 * later time, preview it on the last days' usage, or delete it.
 */
export const handler = defineForm<ModelPageData>({
  async load({ url, state }) {
    if (url.searchParams.has("done")) await state.services.directory.refresh(); // shows the new price
    return await readModelPage(url, state);
  },
  showsFlash: ({ searchParams }) => searchParams.get("done") === "saved",

  async submit(ctx, form, page) {
    const { state, state: { services: { directory } } } = ctx;
    const id = modelOf(ctx);
    if (!isModelName(id)) throw new HttpError(404);
    if (priceRow(id, directory, state.nowMs).source === "declared") throw new HttpError(404);
    try {
      return removals.has(form.get("intent") ?? "")
        ? await remove(ctx, form)
        : await setOrTry(ctx, form, page);
    } catch (error) {
      if (!(error instanceof PriceOvertaken)) throw error;
      await directory.refresh();
      return await page.again({ isOvertaken: true }, { status: 409 });
    }
  },
});

const removals: ReadonlySet<string> = new Set(["reset", "unschedule"]);

async function remove(ctx: Context<AccountState>, form: URLSearchParams): Promise<Response> {
  const id = modelOf(ctx);
  const isReset = form.get("intent") === "reset";
  const from = form.get("begins") ?? "";
  await deletePrice(id, isReset ? {} : { from }, changeOptions(ctx, form));
  const isLater = !isReset && Date.parse(from) > ctx.state.nowMs;
  return seeOther(modelPath(id, { done: isLater ? "removed" : "deleted" }));
}

async function setOrTry(
  ctx: Context<AccountState>,
  form: URLSearchParams,
  { load, again }: FormPage<ModelPageData>,
): Promise<Response | PageResponse<ModelPageData>> {
  const { state, state: { services: { store, directory }, nowMs } } = ctx;
  const id = modelOf(ctx);
  const values = readPriceValues(form);
  const withForm = async (changes: Partial<ManagedModel>) => {
    const { managed } = await load();
    return { ...managed && { managed: { ...managed, values, ...changes } } };
  };
  const result = priceOf(values);
  if (result.type === "invalid") return await again(await withForm({ faults: result.faults }));
  const price = withUnasked(result.price, priceRow(id, directory, nowMs).price);
  if (form.get("intent") === "try") {
    const rerating = await rerate(store, { model: id, price, directory, nowMs });
    return await again(await withForm({ rerating }), { status: 200 });
  }
  const asked = { ...result, price };
  const made = await setPrice(id, asked, changeOptions(ctx, form));
  if (made === undefined) throw new HttpError(404);
  if ((result.fromMs ?? 0) > nowMs) return seeOther(modelPath(id, { done: "savedLater" }));
  const flash = { type: "price-set", id, undo: priceUndo(made, asked, nowMs) } as const;
  return await seeOtherWith(flash, modelPath(id, { done: "saved" }), state);
}

function modelOf({ url }: Context<AccountState>): string {
  return (url.searchParams.get("name") ?? "").trim();
}

/** The context of a change that an undo makes only to the prices it was offered for. */
function changeOptions({ state, info }: Context<AccountState>, form: URLSearchParams) {
  const check = (_id: string, model: Model | undefined) => assertExpected(form, model);
  return { state, info, check };
}

/** The form that restores the former price of this model. */
function undoOf(id: string, flash: Flash | undefined): Undo | undefined {
  if (flash?.type !== "price-set" || flash.id !== id || flash.undo === undefined) return undefined;
  return { path: modelPath(id), fields: Object.entries(flash.undo) };
}

export default accountPage<typeof handler>(({ data, url, view }) => {
  const { priceAdmin } = view.catalog;
  const { row, group, priced, performance, managed } = data;
  const done = doneIn(url, priceAdmin.done);
  const isOwnSpend = managed === undefined;
  return (
    <ConsolePage view={view} title={row.id} place="models">
      {done && (
        <UndoNotice view={view} text={priceAdmin.done[done]} undo={undoOf(row.id, data.flash)} />
      )}
      {data.isOvertaken && <FormAlert>{priceAdmin.overtaken}</FormAlert>}
      <ModelHead view={view} data={data} />
      {performance && performance.counts.requests > 0 && (
        <ModelFigures {...{ view, performance, isOwnSpend }} />
      )}
      <PerformancePanel {...{ view, performance, isOwnSpend }} model={row.id} span={data.span} />
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
