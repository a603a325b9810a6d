import { fallbackChoice } from "../../../../../lib/admin/upstreams/import_choice.ts";
import { importModels } from "../../../../../lib/admin/upstreams/import_models.ts";
import { localPath, seeOther } from "../../../../../lib/console/page/address.ts";
import { seeOtherWith } from "../../../../../lib/console/page/flash.ts";
import { readForm } from "../../../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { ownUpstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";

/**
 * Lets an upstream serve one model of its own list, with `undo` no longer, and returns to the page
 * of the failed call. Reversible in place, so it needs no confirmation.
 */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { req, params, state } = ctx;
    const upstream = await ownUpstreamAt(params.id, state);
    const form = await readForm(req);
    const back = localPath(form.get("back"), `/console/admin/upstreams/${upstream.id}/models`);
    const undo = form.get("undo") === "true";
    const model = form.get("model") ?? "";
    const choice = fallbackChoice(upstream, model, undo);
    if (choice === undefined) return seeOther(back);
    await importModels(upstream.id, choice, ctx);
    await state.services.directory.refresh(); // the next page names the fallback
    const type = undo ? "fallback-removed" : "fallback-added";
    return await seeOtherWith({ type, upstream: upstream.id, model }, back, state);
  },
});
