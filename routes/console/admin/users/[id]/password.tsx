import { page } from "fresh";
import { A } from "../../../../../components/A.tsx";
import { SecretPanel, ShownAlready } from "../../../../../components/keys/SecretPanel.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { Question } from "../../../../../components/layout/QuestionPage.tsx";
import { passwordLinkLifetimeMs } from "../../../../../lib/accounts/mod.ts";
import { mailLink } from "../../../../../lib/admin/mail.ts";
import { makePasswordLink } from "../../../../../lib/admin/users.ts";
import { publicOrigin, seeOther } from "../../../../../lib/console/page/address.ts";
import { keepShownOnce, showOnce } from "../../../../../lib/console/page/shown_once.ts";
import { type AccountView, accountView } from "../../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { userAt } from "../../../../../lib/console/users/user_page.ts";

/** Creates a password reset link for a user. `?once=` shows the new link once. */
export const handler = defineForAccount.handlers({
  async GET({ params, url: { searchParams }, state }) {
    const { id, email } = await userAt(params.id, state);
    const once = searchParams.get("once");
    const link = await showOnce(once, state);
    const isMailed = searchParams.has("mailed");
    return page({ id, email, link, isMailed, isOver: once !== null && link === undefined });
  },

  async POST(ctx) {
    const { params, state } = ctx;
    const user = await userAt(params.id, state);
    const token = await makePasswordLink(ctx, user);
    const link = `${publicOrigin(ctx)}/password/${token}`;
    const once = await keepShownOnce(link, state);
    const { email: to, mail: { locale } = {} } = user;
    const expiresAtMs = state.nowMs + passwordLinkLifetimeMs;
    const isMailed = await mailLink(ctx, { type: "password", url: link, to, expiresAtMs, locale });
    const mailed = isMailed ? "&mailed" : "";
    return seeOther(`/console/admin/users/${user.id}/password?once=${once}${mailed}`);
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, new URL(url.pathname, url));
  const { cancel, admin, admin: { link: texts } } = view.catalog.security;
  const { email, link, isOver, isMailed } = data;
  const path = `/console/admin/users/${data.id}`;
  return (
    <ConsolePage view={view} title={email} place="users">
      {isOver
        ? (
          <ShownAlready
            title={texts.shownTitle}
            text={texts.shownText}
            back={texts.stored}
            path={path}
          />
        )
        : link
        ? <Link view={view} email={email} link={link} path={path} isMailed={isMailed} />
        : (
          <Question
            isWide
            id="question"
            title={admin.linkTitle(email)}
            text={admin.linkText}
            back={path}
            cancel={cancel}
            confirm={admin.linkSubmit}
            tone="primary"
          />
        )}
    </ConsolePage>
  );
});

function Link(
  { view, email, link, path, isMailed }: {
    view: AccountView;
    email: string;
    link: string;
    /** The user's page. */
    path: string;
    isMailed: boolean;
  },
) {
  const { copy, mail, security: { admin: texts } } = view.catalog;
  return (
    <section class="card wide" aria-labelledby="link">
      <div class="inside">
        <h2 id="link">{texts.linkReady(email)}</h2>
        {isMailed && <p class="soft">{mail.sent(email)}</p>}
        <SecretPanel secret={link} texts={texts.link} copyTexts={copy} />
        <A class="button primary" href={path}>{texts.link.stored}</A>
      </div>
    </section>
  );
}
