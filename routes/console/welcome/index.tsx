import { HttpError, page } from "fresh";
import { Panel } from "../../../components/Panel.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { WelcomeSteps } from "../../../components/overview/WelcomeSteps.tsx";
import { ConnectionResult } from "../../../components/upstreams/ConnectionResult.tsx";
import { FirstProviderForm } from "../../../components/upstreams/FirstProviderForm.tsx";
import { may } from "../../../lib/accounts/mod.ts";
import type { PageAuditContext } from "../../../lib/console/audit/audit.ts";
import { ensureFirstKey } from "../../../lib/console/keys/first_key.ts";
import { seeOtherWith } from "../../../lib/console/page/flash.ts";
import { readForm } from "../../../lib/console/page/form_body.ts";
import { seeOther } from "../../../lib/console/page/see_other.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import {
  addFirstProvider,
  type FirstProvider,
  noProvider,
} from "../../../lib/console/upstreams/first_provider.ts";

const keyPath = "/console/welcome/key";

/** Adds the first provider, or continues with the built-in model; the next step creates a key. */
export const handler = defineForAccount.handlers({
  GET({ state: { account: { user }, services: { directory } } }) {
    const lacksProvider = directory.upstreams().length === 0;
    if (lacksProvider && may(user, "manage-upstreams")) return page<FirstProvider>(noProvider);
    return seeOther(keyPath);
  },

  async POST(ctx) {
    if (!may(ctx.state.account.user, "manage-upstreams")) throw new HttpError(404);
    const form = await readForm(ctx.req);
    if (form.get("intent") === "built-in") return await withFirstKey(ctx);
    const shown = await addFirstProvider(form, ctx);
    return shown ? page<FirstProvider>(shown, { status: 422 }) : await withFirstKey(ctx);
  },
});

async function withFirstKey(ctx: PageAuditContext): Promise<Response> {
  const made = await ensureFirstKey(ctx);
  if (!made) return seeOther(keyPath);
  const flash = { type: "key-created", name: made.apiKey.name, secret: made.secret } as const;
  return await seeOtherWith(flash, keyPath, ctx.state);
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { welcome } = view.catalog;
  return (
    <ConsolePage view={view} title={welcome.title} place="overview">
      <div class="welcome">
        <WelcomeSteps view={view} at="stepProvider" />
        {data.report && <ConnectionResult view={view} report={data.report} />}
        <Panel id="provider" title={welcome.provider}>
          <FirstProviderForm view={view} data={data} />
        </Panel>
        <Panel id="none" title={welcome.none}>
          <form class="body fields" method="post" action="/console/welcome">
            <p class="soft">{welcome.noneText}</p>
            <div>
              <button class="button" type="submit" name="intent" value="built-in">
                {welcome.builtIn}
              </button>
            </div>
          </form>
        </Panel>
      </div>
    </ConsolePage>
  );
});
