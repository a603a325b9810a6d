import { sessionId } from "../../../../lib/admin/users.ts";
import { accountDone } from "../../../../lib/console/account/account_page.ts";
import { readForm } from "../../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { ownEntry } from "../../../../lib/console/sign_in/own_entry.ts";
import { deleteSession, deleteSessions, listSessions } from "../../../../lib/store/users/mod.ts";

/** Signs out one other browser, or all of them. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { services: { store }, account: { user, session } } = ctx.state;
    const form = await readForm(ctx.req);
    const audit = ownEntry(ctx, user, { action: "signed-out", changes: [] });
    if (form.has("others")) {
      await deleteSessions(store, user.id, { exceptDigest: session.digest, audit });
      return accountDone("sessions-ended");
    }
    const wanted = form.get("session");
    const ended = (await listSessions(store, user.id)).find((one) => sessionId(one) === wanted);
    if (ended && ended.digest !== session.digest) {
      await deleteSession(store, ended.digest, { audit });
    }
    return accountDone("session-ended");
  },
});
