import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { readForm } from "../../../../../lib/console/page/form_body.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import {
  type KeyChange,
  keysAfter,
  readKeyChange,
} from "../../../../../lib/console/upstreams/upstream_keys.ts";
import { ownUpstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";
import { updateUpstream, type UpstreamRecord } from "../../../../../lib/store/catalog/mod.ts";

/** Adds the form's keys, or removes the key that it names. Keys are never sent to the browser. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { req, params, state } = ctx;
    const { id, credentials } = await ownUpstreamAt(params.id, state);
    const change = readKeyChange(await readForm(req));
    const path = `/console/admin/upstreams/${id}`;
    const facts = { kind: "upstream", action: "changed", targetId: id, targetName: id } as const;
    const audit = (before: UpstreamRecord, after: UpstreamRecord) =>
      before.credentials === after.credentials
        ? undefined
        : auditEntry(ctx, { ...facts, changes: [keyCounts(before, after, change)] });
    const isRefused = keysAfter(credentials, change) === undefined;
    await updateUpstream(state.services.store, id, (stored) => ({
      ...stored,
      credentials: keysAfter(stored.credentials, change) ?? stored.credentials,
    }), { audit });
    return seeOther(`${path}?${isRefused ? "fault" : "done"}=keys`);
  },
});

function keyCounts(before: UpstreamRecord, after: UpstreamRecord, change: KeyChange) {
  const removed = change.type === "remove" ? `, without ${change.id}` : "";
  return {
    field: "credentials",
    before: String(before.credentials.length),
    after: `${after.credentials.length}${removed}`,
  };
}
