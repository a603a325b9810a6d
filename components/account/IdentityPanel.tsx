import type { AccountPageData } from "../../lib/console/account/account_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { LinkedIdentity } from "../../lib/console/sign_in/linked_identities.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { ProviderForms } from "../sign_in/ProviderForms.tsx";
import { untranslated } from "../untranslated.ts";

/** The account's identities at providers, and the buttons that link one. */
export function IdentityPanel({ view, data }: { view: AccountView; data: AccountPageData }) {
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
