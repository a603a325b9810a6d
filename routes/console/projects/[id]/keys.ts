import { HttpError } from "fresh";
import { may } from "../../../../lib/accounts/mod.ts";
import { setKeyEnabled } from "../../../../lib/admin/keys/key_changes.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { readForm } from "../../../../lib/console/page/form.ts";
import { managedProjectAt, memberAt } from "../../../../lib/console/projects/project_page.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { getApiKey } from "../../../../lib/store/api_keys/mod.ts";

/** Enables or disables the key `key` of a project's member. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { req, params, state } = ctx;
    const { services: { store }, account: { user } } = state;
    const project = await managedProjectAt(params.id, state);
    const form = await readForm(req);
    const apiKey = await getApiKey(store, (form.get("key") ?? "").slice(0, 100));
    if (!apiKey) throw new HttpError(404);
    await memberAt(apiKey.accountId, project, state);
    if (apiKey.origin !== "console") throw new HttpError(403);
    const enabled = form.get("enabled") === "true";
    await setKeyEnabled(ctx, apiKey, { enabled });
    const area = may(user, "projects:write") ? "/console/admin/projects" : "/console/projects";
    return seeOther(`${area}/${project.id}?done=${enabled ? "enabled" : "disabled"}`);
  },
});
