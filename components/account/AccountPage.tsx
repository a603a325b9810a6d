import Notice from "../../islands/Notice.tsx";
import { type AccountPageData, failures } from "../../lib/console/account/account_page.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Fact, Facts } from "../Facts.tsx";
import { FormAlert } from "../FormAlert.tsx";
import { Panel } from "../Panel.tsx";
import { Time } from "../Time.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { PasswordField } from "../sign_in/PasswordField.tsx";
import { untranslated } from "../untranslated.ts";
import { IdentityPanel } from "./IdentityPanel.tsx";
import { PasskeyPanel } from "./PasskeyPanel.tsx";
import { SecondStepPanel } from "./SecondStepPanel.tsx";
import { SessionPanel } from "./SessionPanel.tsx";

interface Props {
  readonly view: AccountView;
  readonly data: AccountPageData;
}

/** The page of the reader's own account: profile, sign-in methods and sessions. */
export function AccountPage(
  { view, data, done }: Props & {
    /** The last action. */
    readonly done?: keyof Catalog["security"]["done"];
  },
) {
  const { security: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="account">
      {done && (failures.includes(done)
        ? <FormAlert>{texts.done[done]}</FormAlert>
        : <Notice text={texts.done[done]} />)}
      {data.problem && <FormAlert>{data.problem}</FormAlert>}
      <div class="halves">
        <div class="stack">
          <Who view={view} data={data} />
          {hasPassword(data) && <Password view={view} data={data} />}
        </div>
        <div class="stack">
          <IdentityPanel view={view} data={data} />
          {data.isLocal && <PasskeyPanel view={view} data={data} />}
          {(hasPassword(data) || data.totp) && <SecondStepPanel view={view} data={data} />}
        </div>
      </div>
      <SessionPanel view={view} data={data} />
    </ConsolePage>
  );
}

/** Users that a provider's sign-in created have no password to change. */
function hasPassword({ user, identities, isLocal }: AccountPageData): boolean {
  return isLocal && (user.passwordHash !== undefined || identities.length === 0);
}

function Who({ view: { catalog, formats }, data: { user } }: Props) {
  const { security: texts, account } = catalog;
  return (
    <Panel id="who" title={texts.who}>
      <div class="body">
        <Facts>
          <Fact name={texts.email} {...untranslated}>{user.email}</Fact>
          <Fact name={texts.role}>{account[user.role]}</Fact>
          <Fact name={texts.since}>
            <Time atMs={user.createdAtMs} formats={formats} as="day" />
          </Fact>
        </Facts>
      </div>
    </Panel>
  );
}

function Password({ view: { catalog }, data: { user, faults = {} } }: Props) {
  const { setup, security: { password: texts } } = catalog;
  return (
    <Panel id="password-title" title={texts.title}>
      <form class="body fields" method="post" action="/console/account/password" noValidate>
        {faults.problem && <FormAlert>{faults.problem}</FormAlert>}
        <input type="hidden" name="username" autocomplete="username" value={user.email} />
        <PasswordField id="current" label={texts.current} fault={faults.current} />
        <PasswordField
          label={texts.next}
          hint={setup.passwordHint}
          fault={faults.password}
          chosen
        />
        <p class="hint">{texts.text}</p>
        <div class="actions start">
          <button class="button" type="submit">{texts.submit}</button>
        </div>
      </form>
    </Panel>
  );
}
