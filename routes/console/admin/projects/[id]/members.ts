import { moveMember } from "../../../../../lib/admin/projects.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { readForm } from "../../../../../lib/console/page/form.ts";
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
    const isMoved = await moveMember(ctx, user, removed ? undefined : id);
    return seeOther(isMoved ? `${path}?done=${removed ? "removed" : "added"}` : path);
  },
});
