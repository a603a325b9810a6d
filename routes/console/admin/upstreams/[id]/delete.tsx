import { page } from "fresh";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { DeleteUpstream } from "../../../../../components/upstreams/DeleteUpstream.tsx";
import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { readForm } from "../../../../../lib/console/page/form_body.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { ownUpstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";
import { isInUse, upstreamUses } from "../../../../../lib/console/upstreams/upstream_uses.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
import { deleteUpstream } from "../../../../../lib/store/catalog/mod.ts";

/**
 * Deletes an upstream after confirmation, which lists its uses; one in use needs its name typed.
 */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    const upstream = await ownUpstreamAt(params.id, state);
    const uses = await upstreamUses(upstream, state);
    return page({ id: upstream.id, uses, isTyped: isInUse(upstream, uses), isWrong: false });
  },

  async POST(ctx) {
    const { req, params, state } = ctx;
    const upstream = await ownUpstreamAt(params.id, state);
    const { id } = upstream;
    const uses = await upstreamUses(upstream, state);
    const isTyped = isInUse(upstream, uses);
    if (isTyped && (await readForm(req)).get("name")?.trim() !== id) {
      return page({ id, uses, isTyped, isWrong: true }, { status: 422 });
    }
    const facts = { kind: "upstream", action: "deleted", targetId: id, targetName: id } as const;
    await deleteUpstream(state.services.store, id, { audit: auditEntry(ctx, facts) });
    const location = "/console/admin/upstreams?done=deleted";
    return new Response(null, { status: 303, headers: { location } });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  return (
    <ConsolePage view={view} title={view.catalog.upstreams.title} place="upstreams">
      <DeleteUpstream view={view} {...data} />
    </ConsolePage>
  );
});
