import { page } from "fresh";
import { A } from "../../../components/A.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { Snippet } from "../../../components/Snippet.tsx";
import { ShownAlready } from "../../../components/keys/SecretPanel.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import type { RotatedKey } from "../../../lib/console/keys/key_bulk.ts";
import { showOnce } from "../../../lib/console/page/shown_once.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** Shows the new secrets of rotated keys once, to the person who rotated them. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const text = await showOnce(searchParams.get("once"), state);
    const keys = text ? JSON.parse(text) as RotatedKey[] : undefined; // written by bulk.tsx
    return page({ keys }, { headers: { "cache-control": "no-store" } });
  },
});

const path = "/console/token";

export default defineForAccount.page<typeof handler>(({ data: { keys }, state, url }) => {
  const view = accountView(state, new URL(path, url));
  const { keyAdmin: texts, keys: { title }, secret, copy } = view.catalog;
  return (
    <ConsolePage view={view} title={title} place="keys">
      {keys
        ? (
          <Panel id="rotated" title={texts.rotated(keys.length)} class="form-panel" focused>
            <div class="body fields">
              <p>{secret.text}</p>
              <Snippet
                text={keys.map(({ name, secret }) => `${name}\t${secret}`).join("\n")}
                label={texts.secrets}
                copy={texts.copySecrets}
                texts={copy}
              />
              <div class="actions">
                <A class="button primary" href={path}>{secret.stored}</A>
              </div>
            </div>
          </Panel>
        )
        : (
          <ShownAlready
            title={texts.shownTitle}
            text={texts.shownText}
            back={secret.stored}
            path={path}
          />
        )}
    </ConsolePage>
  );
});
