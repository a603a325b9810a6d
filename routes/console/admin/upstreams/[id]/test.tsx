import {
  UpstreamPage,
  type UpstreamPageData,
} from "../../../../../components/upstreams/UpstreamPage.tsx";
import { enableUpstream } from "../../../../../lib/admin/upstreams/upstream_changes.ts";
import { upstreamValues } from "../../../../../lib/admin/upstreams/upstream_form.ts";
import { testUpstream } from "../../../../../lib/admin/upstreams/upstream_state.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../../lib/console/page/view.ts";
import { readUpstreamDetail } from "../../../../../lib/console/upstreams/upstream_detail.ts";
import { upstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";

/** Tests an upstream and shows the result on its page; `enable` enables it if the test succeeds. */
export const handler = defineForm<UpstreamPageData>({
  async load({ params, state }) {
    const upstream = await upstreamAt(params.id, state);
    return { detail: await readUpstreamDetail(upstream, state), values: upstreamValues(upstream) };
  },
  shownAt: ({ params }) => `/console/admin/upstreams/${encodeURIComponent(params.id)}`,

  async submit(ctx, form, { again }) {
    const { req, params, state } = ctx;
    const upstream = await upstreamAt(params.id, state);
    const isMeant = form.get("enable") === "true" && upstream.origin === "console";
    const report = await testUpstream(upstream, state, req.signal);
    if (!isMeant || !report.isReady) return await again({ report }, { status: 200 });
    await enableUpstream(upstream.id, true, ctx);
    return seeOther(`/console/admin/upstreams/${upstream.id}?done=tested`);
  },
});

export default accountPage<typeof handler>(({ data, view }) => (
  <UpstreamPage view={view} data={data} />
));
