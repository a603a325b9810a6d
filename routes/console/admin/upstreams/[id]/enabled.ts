import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { readForm } from "../../../../../lib/console/page/form_body.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { ownUpstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";
import { updateUpstream, type UpstreamRecord } from "../../../../../lib/store/catalog/mod.ts";

/** Enables or disables an upstream. Reversible in place, so it needs no confirmation. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { req, params, state } = ctx;
    const { id } = await ownUpstreamAt(params.id, state);
    const enabled = (await readForm(req)).get("enabled") === "true";
    const action = enabled ? "enabled" : "disabled";
    const audit = auditEntry(ctx, { kind: "upstream", action, targetId: id, targetName: id });
    const change = (current: UpstreamRecord) => ({ ...current, enabled });
    await updateUpstream(state.services.store, id, change, { audit });
    return seeOther(`/console/admin/upstreams/${id}?done=${action}`);
  },
});
