import { moveAccount } from "../../../../../lib/accounts/mod.ts";
import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { readForm } from "../../../../../lib/console/page/form_body.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { projectAt } from "../../../../../lib/console/projects/project_page.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { getUser, getUserByEmail } from "../../../../../lib/store/users/mod.ts";

/** Adds the account with `email` to a project, or removes the account `remove` from it. */
export const handler = defineForAccount.handlers({
  GET: ({ params }) => seeOther(`/console/admin/projects/${encodeURIComponent(params.id)}`),

  async POST(ctx) {
    const { req, params, state } = ctx;
    const { services: { store } } = state;
    const { id } = await projectAt(params.id, state);
    const path = `/console/admin/projects/${id}`;
    const form = await readForm(req);
    const removed = form.get("remove")?.slice(0, 100);
    const email = (form.get("email") ?? "").trim().toLowerCase().slice(0, 300);
    const user = await (removed ? getUser(store, removed) : getUserByEmail(store, email));
    if (!user) return seeOther(`${path}?unknown=${encodeURIComponent(email)}`);
    if (removed && user.projectId !== id) return seeOther(path);
    const after = removed ? undefined : id;
    const changes = [{ field: "project", before: user.projectId, after }];
    const target = { targetId: user.id, targetName: user.email };
    const audit = auditEntry(ctx, { kind: "user", action: "changed", ...target, changes });
    await moveAccount(store, user.id, after, { audit });
    return seeOther(`${path}?done=${removed ? "removed" : "added"}`);
  },
});
