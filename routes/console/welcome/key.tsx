import { page } from "fresh";
import { A } from "../../../components/A.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { FreshKey } from "../../../components/keys/FreshKey.tsx";
import { SecretPanel } from "../../../components/keys/SecretPanel.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { WelcomeSteps } from "../../../components/overview/WelcomeSteps.tsx";
import { printedKeyName } from "../../../lib/accounts/mod.ts";
import { readFreshKey } from "../../../lib/console/connect/fresh_key.ts";
import { createFirstKey } from "../../../lib/console/keys/first_key.ts";
import { seeOtherWith, takeFlash } from "../../../lib/console/page/flash.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** The first key, shown once after its creation, and a first call with it. */
export const handler = defineForAccount.handlers({
  async GET({ req, state }) {
    const headers = new Headers();
    const flash = await takeFlash(req, headers, state);
    const shown = flash?.type === "key-created" ? flash : undefined;
    const fresh = await readFreshKey(shown?.name, state, req.headers);
    return page({ secret: shown?.secret, fresh }, { headers });
  },

  async POST(ctx) {
    const { apiKey, secret } = await createFirstKey(ctx);
    const flash = { type: "key-created", name: apiKey.name, secret } as const;
    return await seeOtherWith(flash, "/console/welcome/key", ctx.state);
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { welcome, secret: texts, copy, secretReady, models } = view.catalog;
  const { secret, fresh } = data;
  const apiKey = fresh?.apiKey;
  return (
    <ConsolePage
      view={view}
      title={welcome.title}
      place="overview"
      action={<A class="button primary" href="/console">{welcome.finish}</A>}
    >
      <div class="welcome">
        <WelcomeSteps view={view} at="stepCall" />
        <Panel id="key" title={apiKey ? secretReady(apiKey.name) : welcome.makeKey}>
          <div class="body fields">
            {secret
              ? <SecretPanel secret={secret} texts={texts} copyTexts={copy} />
              : (
                <form class="fields" method="post" action="/console/welcome/key">
                  <p class="soft">
                    {apiKey
                      ? apiKey.name === printedKeyName ? welcome.printed : welcome.noSecret
                      : welcome.noKeys}
                  </p>
                  <div>
                    <button class="button" type="submit">
                      {apiKey ? welcome.makeAnother : welcome.makeKey}
                    </button>
                  </div>
                </form>
              )}
          </div>
        </Panel>
        {fresh && (
          <Panel id="call" title={welcome.call}>
            <div class="body">
              {fresh.model === undefined ? <p class="soft">{models.emptyText}</p> : (
                <FreshKey
                  view={view}
                  origin={url.origin}
                  secret={secret}
                  {...fresh}
                  model={fresh.model}
                />
              )}
            </div>
          </Panel>
        )}
      </div>
    </ConsolePage>
  );
});
