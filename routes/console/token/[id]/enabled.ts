import { setKeyEnabled } from "../../../../lib/admin/keys/key_changes.ts";
import { changeableKey } from "../../../../lib/console/keys/own_key.ts";
import { localPath } from "../../../../lib/console/page/address.ts";
import { type Flash, seeOtherWith } from "../../../../lib/console/page/flash.ts";
import { readForm } from "../../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/** Enables or disables a key. Reversible in place, so it needs no confirmation. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { req, params, state } = ctx;
    const form = await readForm(req);
    const apiKey = await changeableKey(params.id, state);
    const { id, name } = apiKey;
    const enabled = form.get("enabled") === "true";
    const updated = await setKeyEnabled(ctx, apiKey, { enabled });
    const flash: Flash = updated
      ? { type: enabled ? "key-enabled" : "key-disabled", id, name }
      : { type: "key-gone" };
    return await seeOtherWith(flash, localPath(form.get("back"), "/console/token"), state);
  },
});
