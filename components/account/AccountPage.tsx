import Notice from "../../islands/Notice.tsx";
import { type AccountPageData, failedResults } from "../../lib/console/account/account_page.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { LinkedIdentity } from "../../lib/console/sign_in/linked_identities.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { FormAlert } from "../controls.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { PasswordField } from "../sign_in/fields.tsx";
import { ProviderForms } from "../sign_in/providers.tsx";
import { untranslated } from "../untranslated.ts";
import { Fact, Facts, Time } from "../values.tsx";
import { MailPanel } from "./MailPanel.tsx";
import { PasskeyPanel } from "./PasskeyPanel.tsx";
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
      {done && (failedResults.includes(done)
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
          <MailPanel view={view} user={data.user} />
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

/** The state of two-factor sign-in, and the buttons that change it. */
function SecondStepPanel({ view, data }: { view: AccountView; data: AccountPageData }) {
  const { catalog: { security: { secondStep: texts } }, formats } = view;
  const { totp } = data;
  const path = "/console/account/totp";
  return (
    <Panel
      id="second-step"
      title={texts.title}
      end={<Status tone={totp ? "ok" : "off"}>{totp ? texts.on : texts.off}</Status>}
    >
      <div class="body fields">
        <p class="soft">{texts.text}</p>
        {totp && (
          <p class="hint">
            {texts.since(formats.day(totp.createdAtMs))}{" "}
            {texts.codesLeft(totp.recoveryDigests.length)}
          </p>
        )}
        <div class="actions start">
          {totp
            ? (
              <>
                <A class="button" href={`${path}/codes`}>{texts.renew}</A>
                <A class="button" href={`${path}/delete`}>{texts.turnOff}</A>
              </>
            )
            : <A class="button" href={path}>{texts.turnOn}</A>}
        </div>
      </div>
    </Panel>
  );
}

/** The account's identities at providers, and the buttons that link one. */
function IdentityPanel({ view, data }: { view: AccountView; data: AccountPageData }) {
  const { sso: texts } = view.catalog.security;
  const { identities, providers } = data;
  if (identities.length === 0 && providers.length === 0) return null;
  const isLinked = (id: string) => identities.some(({ provider }) => provider?.id === id);
  return (
    <Panel id="identities" title={texts.title}>
      <div class="body fields">
        <p class="soft">{texts.text}</p>
        {identities.length === 0 ? <p class="hint">{texts.none}</p> : (
          <ul class="passkey-list">
            {identities.map((identity) => (
              <Item
                key={identity.id}
                view={view}
                identity={identity}
              />
            ))}
          </ul>
        )}
        <ProviderForms
          providers={providers.filter(({ id }) => !isLinked(id))}
          action="/console/account/identities"
          label={texts.link}
        />
      </div>
    </Panel>
  );
}

function Item({ view, identity }: { view: AccountView; identity: LinkedIdentity }) {
  const { catalog: { security: { sso, passkeys: texts } }, formats } = view;
  const { id, name, email, createdAtMs, lastUsedAtMs } = identity;
  const used = lastUsedAtMs === undefined ? texts.unused : texts.used(formats.ago(lastUsedAtMs));
  return (
    <li>
      <span class="what">
        <b {...untranslated}>{email === undefined ? name : `${name} · ${email}`}</b>
        <span class="hint">{`${texts.added(formats.day(createdAtMs))} · ${used}`}</span>
      </span>
      <A
        class="button small"
        href={`/console/account/identities/${id}/delete`}
        aria-label={sso.removeConfirm(name)}
      >
        {texts.remove}
      </A>
    </li>
  );
}
