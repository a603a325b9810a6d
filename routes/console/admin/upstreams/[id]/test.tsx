import { page } from "fresh";
import {
  UpstreamPage,
  type UpstreamPageData,
} from "../../../../../components/upstreams/UpstreamPage.tsx";
import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { readForm } from "../../../../../lib/console/page/form_body.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { upstreamValues } from "../../../../../lib/console/upstreams/upstream_form.ts";
import { testUpstream, upstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";
import { upstreamRow } from "../../../../../lib/console/upstreams/upstream_list.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
import { updateUpstream } from "../../../../../lib/store/catalog/mod.ts";

/** Tests an upstream and shows the result on its page; `enable` enables it if the test succeeds. */
export const handler = defineForAccount.handlers({
  GET: ({ params }) =>
    new Response(null, {
      status: 303,
      headers: { location: `/console/admin/upstreams/${encodeURIComponent(params.id)}` },
    }),

  async POST(ctx) {
    const { req, params, state } = ctx;
    const upstream = await upstreamAt(params.id, state);
    const isMeant = (await readForm(req)).get("enable") === "true" && upstream.origin === "console";
    const report = await testUpstream(upstream, state, req.signal);
    if (!isMeant || !report.isReady) {
      const row = upstreamRow(upstream, state);
      return page<UpstreamPageData>({ row, values: upstreamValues(upstream), report });
    }
    const { id } = upstream;
    const facts = { kind: "upstream", action: "enabled", targetId: id, targetName: id } as const;
    const enable = { audit: auditEntry(ctx, facts) };
    await updateUpstream(state.services.store, id, (one) => ({ ...one, enabled: true }), enable);
    const location = `/console/admin/upstreams/${id}?done=tested`;
    return new Response(null, { status: 303, headers: { location } });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => (
  <UpstreamPage view={accountView(state, url)} data={data} />
));
