import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { SecretPanel, ShownAlready } from "../../../../components/keys/SecretPanel.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { showOnce } from "../../../../lib/console/page/shown_once.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import type { MadeToken } from "../../../../lib/console/tokens/token_form.ts";

/** Shows a new token once, to its creator. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const text = await showOnce(searchParams.get("once"), state);
    const made = text ? JSON.parse(text) as MadeToken : undefined; // written by new.tsx
    return page({ made }, { headers: { "cache-control": "no-store" } });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { made }, state, url }) => {
  const path = "/console/admin/tokens";
  const view = accountView(state, new URL(path, url));
  const { tokens: texts, copy } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="tokens">
      {made
        ? (
          <section class="card" aria-labelledby="made">
            <div class="inside">
              <h2 id="made">{texts.ready(made.name)}</h2>
              <SecretPanel secret={made.secret} texts={texts.shown} copyTexts={copy} />
              <A class="button primary" href={path}>{texts.shown.stored}</A>
            </div>
          </section>
        )
        : (
          <ShownAlready
            title={texts.shownTitle}
            text={texts.shownText}
            back={texts.back}
            path={path}
          />
        )}
    </ConsolePage>
  );
});
