import { page } from "fresh";
import type { VNode } from "preact";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { ImportConfirm } from "../../../../../components/upstreams/ImportConfirm.tsx";
import {
  ImportFailed,
  ImportPanel,
  ImportTable,
} from "../../../../../components/upstreams/ImportPanel.tsx";
import { importFault, readImportChoice } from "../../../../../lib/admin/upstreams/import_choice.ts";
import {
  importModels,
  unpricedOf,
  upstreamListing,
} from "../../../../../lib/admin/upstreams/import_models.ts";
import { upstreamServices } from "../../../../../lib/admin/upstreams/upstream_state.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { listFormBytesMax, readForm } from "../../../../../lib/console/page/form.ts";
import {
  accountPage,
  type AccountView,
  accountView,
} from "../../../../../lib/console/page/view.ts";
import { type AccountState, defineForAccount } from "../../../../../lib/console/session/state.ts";
import { streamedPage } from "../../../../../lib/console/upstreams/streamed.tsx";
import { ownUpstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";
import type { UpstreamRecord } from "../../../../../lib/store/catalog/mod.ts";

/**
 * Compares an upstream's own list of models with its routes here. One form selects models, a second
 * one confirms, and one commit imports them.
 */
export const handler = defineForAccount.handlers({
  async GET(ctx) {
    const { params, req, state, url } = ctx;
    const upstream = await ownUpstreamAt(params.id, state);
    upstreamServices(state);
    const view = accountView(state, url);
    const frame = (
      <ConsolePage
        view={view}
        title={view.catalog.upstreamAdmin.modelsImport}
        place="upstreams"
        up={upTo(upstream.id)}
      >
        <ImportPanel view={view} />
      </ConsolePage>
    );
    return await streamedPage(
      ctx,
      frame,
      comparison(view, upstream, { state, caller: req.signal }),
    );
  },

  async POST(ctx) {
    const { req, params, state } = ctx;
    const upstream = await ownUpstreamAt(params.id, state);
    const choice = readImportChoice(await readForm(req, listFormBytesMax));
    const fault = importFault(upstream, choice);
    const { id } = upstream;
    if (fault || !choice.isConfirmed) {
      const unpriced = unpricedOf(choice, state);
      const shown = { id, choice, unpriced, ...(fault && { fault }) };
      return page(shown, { status: fault ? 422 : 200 });
    }
    await importModels(id, choice, ctx);
    return seeOther(`/console/admin/upstreams/${id}/models?done=imported`);
  },
});

async function* comparison(
  view: AccountView,
  upstream: UpstreamRecord,
  options: { readonly state: AccountState; readonly caller: AbortSignal },
): AsyncGenerator<VNode> {
  const list = await upstreamListing(upstream, options);
  yield list.type === "listed"
    ? <ImportTable view={view} id={upstream.id} comparison={list.comparison} />
    : <ImportFailed view={view} id={upstream.id} said={list.said} />;
}

export default accountPage<typeof handler>(({ data, view }) => {
  return (
    <ConsolePage
      view={view}
      title={view.catalog.upstreamAdmin.modelsImport}
      place="upstreams"
      up={upTo(data.id)}
    >
      <ImportConfirm view={view} {...data} />
    </ConsolePage>
  );
});

function upTo(id: string) {
  return { href: `/console/admin/upstreams/${id}`, text: id };
}
