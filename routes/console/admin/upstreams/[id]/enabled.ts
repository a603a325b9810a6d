import { audit } from "../../../../../lib/console/audit.ts";
import { readForm } from "../../../../../lib/console/form_body.ts";
import { defineForAccount } from "../../../../../lib/console/state.ts";
import { ownUpstreamAt } from "../../../../../lib/console/upstream_page.ts";
import { updateUpstream } from "../../../../../lib/store/mod.ts";

/** Disables or enables an upstream; it can be undone in place, so nobody is asked whether they are sure. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { req, params, state } = ctx;
    const { id } = await ownUpstreamAt(params.id, state);
    const enabled = (await readForm(req)).get("enabled") === "true";
    await updateUpstream(state.services.store, id, (current) => ({ ...current, enabled }));
    const action = enabled ? "enabled" : "disabled";
    await audit(ctx, { kind: "upstream", action, targetId: id, targetName: id });
    const location = `/console/admin/upstreams/${id}?done=${action}`;
    return new Response(null, { status: 303, headers: { location } });
  },
});
