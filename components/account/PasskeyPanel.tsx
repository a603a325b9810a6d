import PasskeyButton from "../../islands/PasskeyButton.tsx";
import type { AccountPageData } from "../../lib/console/account/account_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Passkey } from "../../lib/store/users/mod.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";

/** The account's passkeys, and the button that adds one. */
export function PasskeyPanel({ view, data }: { view: AccountView; data: AccountPageData }) {
  const { passkeys: texts } = view.catalog.security;
  const { passkeys, newPasskey, rpId } = data;
  return (
    <Panel id="passkeys" title={texts.title}>
      <div class="body fields">
        <p class="soft">{texts.text}</p>
        {passkeys.length === 0 ? <p class="hint">{texts.none}</p> : (
          <ul class="passkey-list">
            {passkeys.map((passkey) => (
              <Item key={passkey.id} view={view} passkey={passkey} rpId={rpId} />
            ))}
          </ul>
        )}
        {newPasskey
          ? (
            <>
              <PasskeyButton
                request={newPasskey}
                action="/console/account/passkeys"
                label={texts.add}
                failed={texts.failed}
                unsupported={texts.unsupported}
              />
              <noscript>
                <p class="hint">{texts.noScript}</p>
              </noscript>
            </>
          )
          : rpId === undefined && <p class="hint">{texts.unsupported}</p>}
      </div>
    </Panel>
  );
}

function Item(
  { view, passkey, rpId }: { view: AccountView; passkey: Passkey; rpId?: string },
) {
  const { catalog: { security: { passkeys: texts } } } = view;
  const path = `/console/account/passkeys/${passkey.id}`;
  const name = passkey.name || texts.unnamed;
  const field = `name-${passkey.id.slice(0, 8)}`;
  return (
    <li>
      <span class="what">
        <b {...untranslated}>{name}</b>
        <Facts view={view} passkey={passkey} />
        {passkey.rpId !== rpId && <span class="hint">{texts.otherHost(passkey.rpId)}</span>}
      </span>
      <details>
        <summary class="button small" aria-label={texts.renameFor(name)}>{texts.rename}</summary>
        <form class="rename" method="post" action={path}>
          <div class="field">
            <label for={field}>{texts.name}</label>
            <input
              id={field}
              class="input"
              name="name"
              maxLength={60}
              autocomplete="off"
              required
              value={passkey.name}
            />
          </div>
          <button class="button" type="submit">{texts.save}</button>
        </form>
      </details>
      <A class="button small" href={`${path}/delete`} aria-label={texts.removeFor(name)}>
        {texts.remove}
      </A>
    </li>
  );
}

function Facts({ view, passkey }: { view: AccountView; passkey: Passkey }) {
  const { catalog: { security: { passkeys: texts } }, formats } = view;
  const { createdAtMs, lastUsedAtMs, isSynced } = passkey;
  const used = lastUsedAtMs === undefined ? texts.unused : texts.used(formats.ago(lastUsedAtMs));
  const parts = [texts.added(formats.day(createdAtMs)), used, ...isSynced ? [texts.synced] : []];
  return <span class="hint">{parts.join(" · ")}</span>;
}
