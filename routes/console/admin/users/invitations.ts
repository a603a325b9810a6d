import { HttpError } from "fresh";
import { revokeInvitation } from "../../../../lib/admin/users.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { readForm } from "../../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { getInvitation } from "../../../../lib/store/users/mod.ts";

/** Revokes the open invitation with the digest `invitation`. */
export const handler = defineForAccount.handlers({
  GET: () => seeOther("/console/admin/users"),

  async POST(ctx) {
    const form = await readForm(ctx.req);
    const digest = (form.get("invitation") ?? "").slice(0, 100);
    const found = await getInvitation(ctx.state.services.store, digest);
    if (found === undefined) throw new HttpError(404);
    await revokeInvitation(ctx, found);
    return seeOther("/console/admin/users?done=revoked");
  },
});
