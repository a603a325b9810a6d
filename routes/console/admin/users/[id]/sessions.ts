import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { signOutEverywhere } from "../../../../../lib/console/users/user_changes.ts";
import { userAt } from "../../../../../lib/console/users/user_page.ts";

/** Signs a user out everywhere. Administrators who do so to themselves keep this session. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const user = await userAt(ctx.params.id, ctx.state);
    await signOutEverywhere(ctx, user, ctx.state.account.session.digest);
    return seeOther(`/console/admin/users/${user.id}?done=signed-out`);
  },
});
