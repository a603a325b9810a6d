import { HttpError } from "fresh";
import { auditEntry } from "../../../../../lib/admin/audit.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { startImpersonation } from "../../../../../lib/console/session/impersonation.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { userAt } from "../../../../../lib/console/users/user_page.ts";
import { createAuditEntry } from "../../../../../lib/store/audit/mod.ts";

/** Starts viewing the console as a user, read-only. The audit entry is written first. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { params, state } = ctx;
    const { services: { store }, account: { user } } = state;
    const { id, email } = await userAt(params.id, state);
    if (id === user.id) throw new HttpError(404);
    const facts = { kind: "user", action: "viewed", targetId: id, targetName: email } as const;
    await createAuditEntry(store, auditEntry(ctx, facts));
    const headers = new Headers();
    await startImpersonation(headers, id, state);
    return seeOther("/console", headers);
  },
});
