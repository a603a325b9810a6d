import { page } from "fresh";
import type { VNode } from "preact";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import {
  ModelReportRow,
  ModelReports,
  ModelReportsEnd,
} from "../../../../../components/upstreams/ConnectionResult.tsx";
import { ServedModels } from "../../../../../components/upstreams/ServedModels.tsx";
import { servedModels } from "../../../../../lib/admin/upstreams/served_models.ts";
import {
  modelTestsAtOnce,
  modelTestsMax,
  testedModels,
  upstreamServices,
} from "../../../../../lib/admin/upstreams/upstream_state.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { listFormBytesMax, readForm } from "../../../../../lib/console/page/form.ts";
import {
  accountPage,
  type AccountView,
  accountView,
} from "../../../../../lib/console/page/view.ts";
import { type AccountState, defineForAccount } from "../../../../../lib/console/session/state.ts";
import { streamedPage } from "../../../../../lib/console/upstreams/streamed.tsx";
import { upstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";
import type { ModelReport } from "../../../../../lib/upstreams/mod.ts";

/**
 * The models of an upstream; a form tests some or all of them, and the results stream into the
 * table.
 */
export const handler = defineForAccount.handlers({
  async GET({ params, url, state }) {
    const { id } = await upstreamAt(params.id, state);
    if (url.searchParams.has("done")) await state.services.directory.refresh(); // shows imported models
    return page({ id, choseNothing: url.searchParams.has("none"), ...await shown(id, state) });
  },

  async POST(ctx) {
    const { req, params, state, url } = ctx;
    const upstream = await upstreamAt(params.id, state);
    upstreamServices(state);
    const form = await readForm(req, listFormBytesMax);
    const wanted = new Set(form.getAll("model"));
    const { models } = await shown(upstream.id, state);
    const selected = models.filter(({ id }) => form.has("all") || wanted.has(id));
    const path = `/console/admin/upstreams/${upstream.id}/models`;
    if (selected.length === 0) {
      return seeOther(`${path}?none`);
    }
    const asked = selected.slice(0, modelTestsMax);
    const view = accountView(state, url);
    const frame = (
      <ConsolePage
        view={view}
        title={view.catalog.upstreamAdmin.modelsOf(upstream.id)}
        place="upstreams"
        up={{ href: path, text: view.catalog.upstreamAdmin.modelsTitle }}
      >
        <ModelReports
          view={view}
          count={asked.length}
          cutTo={asked.length < selected.length ? modelTestsMax : undefined}
        />
      </ConsolePage>
    );
    const reports = testedModels(upstream, asked, { state, caller: req.signal });
    return await streamedPage(ctx, frame, reportRows(view, reports, asked.length));
  },
});

async function shown(id: string, state: AccountState) {
  const upstream = await upstreamAt(id, state);
  return { models: servedModels(upstream, state.services.directory, state.nowMs) };
}

async function* reportRows(
  view: AccountView,
  reports: AsyncIterable<ModelReport>,
  count: number,
): AsyncGenerator<VNode> {
  let well = 0;
  for await (const report of reports) {
    if (!report.fault) well++;
    yield <ModelReportRow view={view} report={report} />;
  }
  yield <ModelReportsEnd view={view} well={well} count={count} />;
}

export default accountPage<typeof handler>(({ data, view }) => {
  const { upstreams } = view.catalog;
  const { id, models, choseNothing } = data;
  return (
    <ConsolePage
      view={view}
      title={upstreams.models}
      place="upstreams"
      up={{ href: `/console/admin/upstreams/${id}`, text: id }}
      done={upstreams.done}
    >
      <ServedModels
        view={view}
        id={id}
        models={models}
        atOnce={modelTestsAtOnce}
        choseNothing={choseNothing}
      />
    </ConsolePage>
  );
});
