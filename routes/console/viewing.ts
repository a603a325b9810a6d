import { seeOther } from "../../lib/console/page/address.ts";
import { endImpersonation } from "../../lib/console/session/impersonation.ts";
import { defineForAccount } from "../../lib/console/session/state.ts";

/** Stops viewing the console as another user and redirects to that user's page. */
export const handler = defineForAccount.handlers({
  POST({ state: { account: { user, viewer } } }) {
    const headers = new Headers();
    endImpersonation(headers);
    return seeOther(viewer ? `/console/admin/users/${user.id}` : "/console", headers);
  },
});
