import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { untranslated } from "../untranslated.ts";
import { AdminMenuItems } from "./AdminDestinations.tsx";
import { LanguageForm, ThemeForm } from "./Preferences.tsx";

/**
 * The menu of the account: user, display preferences, sign-out. A popover, which opens without a
 * script.
 */
export function AccountMenu({ view }: { view: AccountView }) {
  const { catalog: { account, connect, docs, playground, projects, security, theme }, user, path } =
    view;
  return (
    <section
      class="menu"
      id="account-menu"
      popover="auto"
      aria-label={account.open(user.email)}
    >
      <div class="section">
        <p class="email" {...untranslated}>{user.email}</p>
        <p class="hint">{account[user.role]}</p>
      </div>
      <A class="item only-small" href="/console/playground">
        <Icon name="message-square" />
        {playground.title}
      </A>
      <A class="item only-small" href="/console/connect">
        <Icon name="arrow-right" />
        {connect.title}
      </A>
      <A class="item only-small" href="/docs">
        <Icon name="book-open" />
        {docs.title}
      </A>
      <A class="item" href="/console/account">
        <Icon name="user-round" />
        {security.menu}
      </A>
      {view.administersProject && (
        <A class="item" href="/console/projects">
          <Icon name="columns-2" />
          {projects.own}
        </A>
      )}
      <AdminMenuItems view={view} />
      <hr />
      <div class="section">
        <span>{theme.label}</span>
        <ThemeForm view={view} back={path} />
      </div>
      <div class="section">
        <span>{account.language}</span>
        <LanguageForm view={view} back={path} />
      </div>
      <hr />
      <form method="post" action="/logout">
        <button class="item" type="submit">
          <Icon name="log-out" />
          {account.signOut}
        </button>
      </form>
    </section>
  );
}

/** The first two letters of the e-mail address. */
export function Avatar({ email }: { email: string }) {
  return <span class="avatar" aria-hidden="true">{email.slice(0, 2).toUpperCase()}</span>;
}
