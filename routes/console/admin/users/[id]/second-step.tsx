import { page } from "fresh";
import { A } from "../../../../../components/A.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { resetSecondStep } from "../../../../../lib/accounts/mod.ts";
import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { userAt } from "../../../../../lib/console/users/user_page.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";

/** Resets a user's two-step sign-in after confirmation. */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    return page({ user: await userAt(params.id, state) });
  },

  async POST(ctx) {
    const { params, state } = ctx;
    const { services: { store }, account } = state;
    const { id, email } = await userAt(params.id, state);
    const target = { targetId: id, targetName: email };
    const changes = [{ field: "secondStep", after: "reset" }];
    const audit = auditEntry(ctx, { kind: "user", action: "changed", ...target, changes });
    await resetSecondStep(store, id, { audit, exceptDigest: account.session.digest });
    const location = `/console/admin/users/${id}?done=second-step`;
    return new Response(null, { status: 303, headers: { location } });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { user }, state, url }) => {
  const view = accountView(state, url);
  const { cancel, admin: texts } = view.catalog.security;
  return (
    <ConsolePage view={view} title={user.email} place="users">
      <section class="card wide" aria-labelledby="reset">
        <form class="inside" method="post">
          <h2 id="reset">{texts.resetTitle(user.email)}</h2>
          <p>{texts.resetText}</p>
          <div class="actions">
            <A class="button" href={`/console/admin/users/${user.id}`}>{cancel}</A>
            <button class="button danger" type="submit">{texts.resetConfirm(user.email)}</button>
          </div>
        </form>
      </section>
    </ConsolePage>
  );
});
