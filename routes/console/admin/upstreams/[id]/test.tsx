import { page } from "fresh";
import { UpstreamPage, type UpstreamPageData } from "../../../../../components/UpstreamPage.tsx";
import { defineForAccount } from "../../../../../lib/console/state.ts";
import { upstreamValues } from "../../../../../lib/console/upstream_form.ts";
import { healthOf, testUpstream, upstreamAt } from "../../../../../lib/console/upstream_page.ts";
import { accountView } from "../../../../../lib/console/view.ts";

/** Looks whether an upstream answers, and says so on its page. Nothing is changed. */
export const handler = defineForAccount.handlers({
  GET: ({ params }) =>
    new Response(null, {
      status: 303,
      headers: { location: `/console/admin/upstreams/${encodeURIComponent(params.id)}` },
    }),

  async POST({ req, params, state }) {
    const upstream = await upstreamAt(params.id, state);
    const report = await testUpstream(upstream, state, req.signal);
    const row = { upstream, health: healthOf(upstream.id, state) };
    return page<UpstreamPageData>({ row, values: upstreamValues(upstream), report });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => (
  <UpstreamPage view={accountView(state, url)} data={data} />
));
