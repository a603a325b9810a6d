import { auditEntry } from "../../../../lib/console/audit/audit.ts";
import { ownKey } from "../../../../lib/console/keys/own_key.ts";
import { type Flash, seeOtherWith } from "../../../../lib/console/page/flash.ts";
import { readForm } from "../../../../lib/console/page/form_body.ts";
import { localPath } from "../../../../lib/console/page/local_path.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { updateApiKey } from "../../../../lib/store/api_keys/mod.ts";

/** Enables or disables a key. Reversible in place, so it needs no confirmation. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { req, params, state } = ctx;
    const { services: { store } } = state;
    const form = await readForm(req);
    const { id, name } = await ownKey(params.id, state);
    const enabled = form.get("enabled") === "true";
    const action = enabled ? "enabled" : "disabled";
    const audit = auditEntry(ctx, { kind: "key", action, targetId: id, targetName: name });
    const updated = await updateApiKey(store, id, (one) => ({ ...one, enabled }), { audit });
    const flash: Flash = updated
      ? { type: enabled ? "key-enabled" : "key-disabled", id, name }
      : { type: "key-gone" };
    return await seeOtherWith(flash, localPath(form.get("back"), "/console/token"), state);
  },
});
