import { enableUpstream } from "../../../../../lib/admin/upstreams/upstream_changes.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { seeOtherWith } from "../../../../../lib/console/page/flash.ts";
import { readForm } from "../../../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { ownUpstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";

/** Enables or disables an upstream. Reversible in place, so it needs no confirmation. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { req, params, state } = ctx;
    const { id } = await ownUpstreamAt(params.id, state);
    const enabled = (await readForm(req)).get("enabled") === "true";
    await enableUpstream(id, enabled, ctx);
    const path = `/console/admin/upstreams/${id}`;
    if (enabled) return seeOther(`${path}?done=enabled`);
    return await seeOtherWith({ type: "upstream-disabled", id }, `${path}?done=disabled`, state);
  },
});
