import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { userAt } from "../../../../../lib/console/users/user_page.ts";
import { deleteSessions } from "../../../../../lib/store/users/mod.ts";

/** Signs a user out everywhere. Administrators who do so to themselves keep this session. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { params, state: { services: { store }, account } } = ctx;
    const { id, email } = await userAt(params.id, ctx.state);
    const target = { targetId: id, targetName: email };
    const audit = auditEntry(ctx, { kind: "user", action: "signed-out", ...target });
    await deleteSessions(store, id, { exceptDigest: account.session.digest, audit });
    return seeOther(`/console/admin/users/${id}?done=signed-out`);
  },
});
