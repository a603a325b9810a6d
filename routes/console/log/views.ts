import { deletedView, readLogView, savedView } from "../../../lib/console/calls/log_views.ts";
import { localPath } from "../../../lib/console/page/address.ts";
import { seeOtherWith } from "../../../lib/console/page/flash.ts";
import { readForm } from "../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { updateReadingChoices } from "../../../lib/store/users/mod.ts";

/** Saves or deletes a view of the log. It is a personal preference, so it is not audited. */
export const handler = defineForAccount.handlers({
  async POST({ req, state }) {
    const form = await readForm(req);
    const change = form.has("delete")
      ? deletedView(form.get("delete") ?? "")
      : savedView(readLogView(form));
    await updateReadingChoices(state.services.store, state.account.user.id, change.apply);
    return await seeOtherWith(change.flash(), localPath(form.get("back"), "/console/log"), state);
  },
});
