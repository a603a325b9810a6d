import type { Context } from "fresh";
import { FormAlert } from "../../../components/controls.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { UndoNotice } from "../../../components/layout/notices.tsx";
import {
  FeedPanel,
  PriceProposals,
  PriceTakes,
  TakeProposals,
} from "../../../components/models/PriceProposals.tsx";
import { refreshPrices, takeProposals, undoTake } from "../../../lib/admin/models/proposals.ts";
import { readMoment } from "../../../lib/admin/models/price_form.ts";
import {
  type ProposalsData,
  readProposals,
  tried,
} from "../../../lib/console/models/price_proposals.ts";
import { doneIn, seeOther } from "../../../lib/console/page/address.ts";
import { defineForm, type FormPage } from "../../../lib/console/page/form.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import type { AccountState } from "../../../lib/console/session/state.ts";

const path = "/console/pricing/proposals";

/**
 * Differences between the feed and the prices in force. One form selects some,
 * a second one confirms; others fetch the feed, and undo what was taken.
 */
export const handler = defineForm<ProposalsData>({
  load: ({ state }) => readProposals(state),

  async submit(ctx, form, page) {
    switch (form.get("intent")) {
      case "refresh":
        return await refresh(ctx, page);
      case "undo": {
        const undone = await undoTake(form.get("take") ?? "", ctx);
        return seeOther(`${path}?done=${undone ? "undone" : "overtaken"}`);
      }
      default:
        return await review(ctx, form, page);
    }
  },
});

async function refresh({ state }: Context<AccountState>, page: FormPage<ProposalsData>) {
  const result = await refreshPrices(state);
  return result?.type === "failed"
    ? await page.again({ fault: result.reason })
    : seeOther(`${path}?done=refreshed`);
}

/** The selected proposals, to be confirmed with a start; then takes them. */
async function review(
  ctx: Context<AccountState>,
  form: URLSearchParams,
  { load, again }: FormPage<ProposalsData>,
) {
  const { proposals } = await load();
  const wanted = new Set(form.getAll("model"));
  const chosen = proposals.filter(({ id }) => form.has("all") || wanted.has(id));
  if (chosen.length === 0) return await again({ choseNothing: true });
  const fromMs = readMoment(form.get("from") ?? "");
  if (form.get("confirm") !== "true" || fromMs === "fault") {
    const shown = { chosen: await tried(chosen, ctx.state), isFromInvalid: fromMs === "fault" };
    return await again(shown, { status: fromMs === "fault" ? 422 : 200 });
  }
  const ids = chosen.map(({ id }) => id);
  await takeProposals(ids, fromMs === undefined ? {} : { fromMs }, ctx);
  return seeOther(`${path}?done=taken`);
}

export default accountPage<typeof handler>(({ data, url, view }) => {
  const { priceProposals: texts } = view.catalog;
  const { chosen, fault, takes } = data;
  const done = doneIn(url, texts.done);
  const [last] = takes;
  const undo = done === "taken" && last && last.undoneAtMs === undefined
    ? { path, fields: [["intent", "undo"], ["take", last.id]] as const }
    : undefined;
  if (chosen.length > 0) {
    return (
      <ConsolePage view={view} title={texts.title} place="models">
        <TakeProposals view={view} proposals={chosen} isFromInvalid={data.isFromInvalid} />
      </ConsolePage>
    );
  }
  return (
    <ConsolePage view={view} title={texts.title} place="models">
      {done && <UndoNotice view={view} text={texts.done[done]} {...(undo && { undo })} />}
      {fault !== undefined && <FormAlert>{texts.failed(fault)}</FormAlert>}
      <FeedPanel view={view} data={data} />
      <PriceProposals view={view} data={data} />
      {takes.length > 0 && <PriceTakes view={view} takes={takes} />}
    </ConsolePage>
  );
});
