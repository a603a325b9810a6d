import { defineForAccount } from "../../lib/console/session/state.ts";
import { endImpersonation } from "../../lib/console/session/impersonation.ts";

/** Stops viewing the console as another user and redirects to that user's page. */
export const handler = defineForAccount.handlers({
  POST({ state: { account: { user, viewer } } }) {
    const location = viewer ? `/console/admin/users/${user.id}` : "/console";
    const headers = new Headers({ location });
    endImpersonation(headers);
    return new Response(null, { status: 303, headers });
  },
});
