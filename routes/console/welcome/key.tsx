import { page } from "fresh";
import { ConsolePage } from "../../../components/ConsolePage.tsx";
import { FreshKey } from "../../../components/FreshKey.tsx";
import { SecretPanel } from "../../../components/SecretPanel.tsx";
import { WelcomeSteps } from "../../../components/WelcomeSteps.tsx";
import { groupsOf } from "../../../lib/console/account_groups.ts";
import { readSystem } from "../../../lib/console/clients.ts";
import { makeFirstKey } from "../../../lib/console/first_key.ts";
import { firstModel } from "../../../lib/console/first_model.ts";
import { takeFlash, writeFlash } from "../../../lib/console/flash.ts";
import { modelRows } from "../../../lib/console/model_rows.ts";
import { defineForAccount } from "../../../lib/console/state.ts";
import { accountView } from "../../../lib/console/view.ts";
import { listApiKeys } from "../../../lib/store/mod.ts";

/** The first key, shown once, and the first call with it. */
export const handler = defineForAccount.handlers({
  async GET({ req, state }) {
    const { services: { store, directory }, account, nowMs } = state;
    const headers = new Headers();
    const flash = await takeFlash(req, headers, { store, sessionDigest: account.session.digest });
    const keys = await listApiKeys(store, { accountId: account.user.id });
    const fresh = flash?.type === "key-created" ? flash : undefined;
    const apiKey = keys.find(({ name }) => name === fresh?.name) ??
      keys.find(({ enabled }) => enabled);
    const groups = groupsOf(account.user, keys, directory);
    const rows = modelRows(
      groups.filter(({ id }) => !apiKey || id === apiKey.groupId),
      directory,
      nowMs,
    );
    const system = readSystem(null, req.headers.get("user-agent"));
    return page({ secret: fresh?.secret, apiKey, model: firstModel(rows), system, nowMs }, {
      headers,
    });
  },

  async POST(ctx) {
    const { services: { store }, account } = ctx.state;
    const { apiKey, secret } = await makeFirstKey(ctx);
    const headers = new Headers({ location: "/console/welcome/key" });
    const flash = { type: "key-created", name: apiKey.name, secret } as const;
    await writeFlash(headers, flash, { store, sessionDigest: account.session.digest });
    return new Response(null, { status: 303, headers });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { welcome, secret: texts, copy, secretReady, models } = view.catalog;
  const { secret, apiKey, model, system, nowMs } = data;
  return (
    <ConsolePage
      view={view}
      title={welcome.title}
      place="overview"
      action={<a class="button primary" href="/console" aria-current="false">{welcome.finish}</a>}
    >
      <div class="welcome">
        <WelcomeSteps view={view} at="stepCall" />
        <section class="panel" aria-labelledby="key">
          <header>
            <h2 id="key">{apiKey ? secretReady(apiKey.name) : welcome.makeKey}</h2>
          </header>
          <div class="body fields">
            {secret
              ? <SecretPanel secret={secret} texts={texts} copyTexts={copy} />
              : (
                <form class="fields" method="post" action="/console/welcome/key">
                  <p class="soft">{apiKey ? welcome.noSecret(apiKey.name) : welcome.noKeys}</p>
                  <div>
                    <button class="button" type="submit">
                      {apiKey ? welcome.makeAnother : welcome.makeKey}
                    </button>
                  </div>
                </form>
              )}
          </div>
        </section>
        {apiKey && (
          <section class="panel" aria-labelledby="call">
            <header>
              <h2 id="call">{welcome.call}</h2>
            </header>
            <div class="body">
              {model === undefined ? <p class="soft">{models.emptyText}</p> : (
                <FreshKey
                  view={view}
                  origin={url.origin}
                  system={system}
                  secret={secret}
                  apiKey={apiKey}
                  model={model}
                  sinceMs={nowMs}
                />
              )}
            </div>
          </section>
        )}
      </div>
    </ConsolePage>
  );
});
