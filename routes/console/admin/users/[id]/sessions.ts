import { audit } from "../../../../../lib/console/audit.ts";
import { defineForAccount } from "../../../../../lib/console/state.ts";
import { userAt } from "../../../../../lib/console/user_page.ts";
import { deleteSessions } from "../../../../../lib/store/mod.ts";

/** Signs a user out everywhere; who does it to oneself stays signed in here. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { params, state: { services: { store }, account } } = ctx;
    const { id, email } = await userAt(params.id, ctx.state);
    await deleteSessions(store, id, account.session.digest);
    await audit(ctx, { kind: "user", action: "signed-out", targetId: id, targetName: email });
    const location = `/console/admin/users/${id}?done=signed-out`;
    return new Response(null, { status: 303, headers: { location } });
  },
});
