import { signOut, signOutEverywhere } from "../../../../../lib/admin/users.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { readForm } from "../../../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { userAt } from "../../../../../lib/console/users/user_page.ts";

/**
 * Signs a user out of one session, or everywhere. Administrators who do so to themselves keep this
 * session.
 */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const user = await userAt(ctx.params.id, ctx.state);
    const wanted = (await readForm(ctx.req)).get("session");
    const { digest } = ctx.state.account.session;
    if (wanted === null) await signOutEverywhere(ctx, user, digest);
    else await signOut(ctx, user, { wanted, exceptDigest: digest });
    const done = wanted === null ? "signed-out" : "session-ended";
    return seeOther(`/console/admin/users/${user.id}?done=${done}`);
  },
});
