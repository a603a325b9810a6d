import { HttpError, page } from "fresh";
import { A } from "../../../../../components/A.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { readForm } from "../../../../../lib/console/page/form_body.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { fixedFor, userAt } from "../../../../../lib/console/users/user_page.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
import { deleteSessions, updateUser } from "../../../../../lib/store/users/mod.ts";

/** Enables a user, or disables one after confirmation. */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    const user = await userAt(params.id, state);
    if (fixedFor(user, state)) throw new HttpError(404);
    return page({ user });
  },

  async POST(ctx) {
    const { req, params, state } = ctx;
    const { id, email } = await userAt(params.id, state);
    if (fixedFor(await userAt(id, state), state)) throw new HttpError(404);
    const enabled = (await readForm(req)).get("enabled") === "true";
    const { store } = state.services;
    const action = enabled ? "enabled" : "disabled";
    const audit = auditEntry(ctx, { kind: "user", action, targetId: id, targetName: email });
    await updateUser(store, id, (current) => ({ ...current, enabled }), { audit });
    if (!enabled) await deleteSessions(store, id);
    const location = `/console/admin/users/${id}?done=${action}`;
    return new Response(null, { status: 303, headers: { location } });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { user }, state, url }) => {
  const view = accountView(state, url);
  const { users: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="users">
      <section class="card" aria-labelledby="disable">
        <form class="inside" method="post">
          <h2 id="disable">{texts.disableTitle(user.email)}</h2>
          <p>{texts.disableText}</p>
          <div class="actions">
            <A class="button" href={`/console/admin/users/${user.id}`}>{texts.cancel}</A>
            <button class="button danger" type="submit" name="enabled" value="false">
              {texts.disableConfirm(user.email)}
            </button>
          </div>
        </form>
      </section>
    </ConsolePage>
  );
});
