import { auditChanges } from "../../../../../lib/admin/audit.ts";
import { auditedUpstream } from "../../../../../lib/admin/upstreams/upstream_changes.ts";
import { movedPriority, readOrder } from "../../../../../lib/admin/upstreams/upstream_order.ts";
import { localPath, seeOther } from "../../../../../lib/console/page/address.ts";
import { readForm } from "../../../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { ownUpstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";
import { listUpstreams, updateUpstream } from "../../../../../lib/store/catalog/mod.ts";

/** Moves an upstream in the order, or sets its priority and weight. Ignores an invalid form. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { req, params, state } = ctx;
    const { services: { store } } = state;
    const current = await ownUpstreamAt(params.id, state);
    const form = await readForm(req);
    const move = (["earlier", "later"] as const).find((one) => one === form.get("move"));
    const order = move
      ? { priority: movedPriority(current, await listUpstreams(store), move) ?? current.priority }
      : readOrder(form) ?? {};
    const { id } = current;
    const facts = { kind: "upstream", action: "changed", targetId: id, targetName: id } as const;
    const audit = auditChanges(ctx, facts, auditedUpstream);
    await updateUpstream(store, id, (stored) => ({ ...stored, ...order }), { audit });
    const back = localPath(form.get("back"), "/console/admin/upstreams");
    return seeOther(`${back}${back.includes("?") ? "&" : "?"}done=ordered`);
  },
});
