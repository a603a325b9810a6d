import { changeUpstreamKeys } from "../../../../../lib/admin/upstreams/upstream_changes.ts";
import { keysAfter, readKeyChange } from "../../../../../lib/admin/upstreams/upstream_wire_form.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { readForm } from "../../../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { ownUpstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";

/** Adds the form's keys, or removes the key that it names. Keys are never sent to the browser. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { req, params, state } = ctx;
    const upstream = await ownUpstreamAt(params.id, state);
    const change = readKeyChange(await readForm(req));
    const isRefused = keysAfter(upstream, change) === undefined;
    await changeUpstreamKeys(upstream.id, change, ctx);
    return seeOther(`/console/admin/upstreams/${upstream.id}?${isRefused ? "fault" : "done"}=keys`);
  },
});
