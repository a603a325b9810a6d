import { defineForAccount } from "../../lib/console/session/state.ts";
import { endViewing } from "../../lib/console/session/view_as.ts";

/** Ends looking at the console as another user, and leads back to that user's page. */
export const handler = defineForAccount.handlers({
  POST({ state: { account: { user, viewer } } }) {
    const location = viewer ? `/console/admin/users/${user.id}` : "/console";
    const headers = new Headers({ location });
    endViewing(headers);
    return new Response(null, { status: 303, headers });
  },
});
