import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { SecretPanel, ShownAlready } from "../../../../components/keys/SecretPanel.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { showOnce } from "../../../../lib/console/page/shown_once.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import type { IssuedInvitation } from "../../../../lib/console/users/user_page.ts";

/** Shows the link of a new invitation once, to its creator. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const text = await showOnce(searchParams.get("once"), state);
    const issued = text ? JSON.parse(text) as IssuedInvitation : undefined; // written by invite.tsx
    return page({ issued }, { headers: { "cache-control": "no-store" } });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { issued }, state, url }) => {
  const view = accountView(state, new URL("/console/admin/users", url));
  const { users: texts, copy, mail } = view.catalog;
  const path = "/console/admin/users";
  return (
    <ConsolePage view={view} title={texts.inviteTitle} place="users">
      {issued
        ? (
          <section class="card" aria-labelledby="issued">
            <div class="inside">
              <h2 id="issued">{texts.linkReady(issued.email)}</h2>
              {issued.mailed && <p class="soft">{mail.sent(issued.email)}</p>}
              <SecretPanel secret={issued.link} texts={texts.link} copyTexts={copy} />
              <A class="button primary" href={path}>{texts.link.stored}</A>
            </div>
          </section>
        )
        : (
          <ShownAlready
            title={texts.link.shownTitle}
            text={texts.link.shownText}
            back={texts.back}
            path={path}
          />
        )}
    </ConsolePage>
  );
});
