import { page } from "fresh";
import { A } from "../../../components/A.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { growMarkdown } from "../../../components/markdown/lexer.ts";
import { ServerReader } from "../../../components/markdown/reader.ts";
import { NoModels } from "../../../components/playground/NoModels.tsx";
import Playground from "../../../islands/Playground.tsx";
import { publicOrigin } from "../../../lib/console/page/address.ts";
import { readForm } from "../../../lib/console/page/form.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import {
  answered,
  isOutOfMoney,
  offerOf,
  openedBy,
  playgroundGroups,
} from "../../../lib/console/playground/playground.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** Conversations with models; the URL holds the settings. */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    const offer = offerOf(await playgroundGroups(state), state);
    const opened = openedBy(url.searchParams, offer, state);
    return page({ offer, opened, poor: await isOutOfMoney(state) });
  },

  async POST(ctx) {
    const { req, state } = ctx;
    const form = await readForm(req);
    const offer = offerOf(await playgroundGroups(state), state);
    const opened = await answered(ctx, form, offer);
    return page({ offer, opened, poor: await isOutOfMoney(state) });
  },
});

export default accountPage<typeof handler>(({ data, state, req, url, view }) => {
  const { playground, copy } = view.catalog;
  const { offer, opened, poor } = data;
  const empty = opened.lanes.length === 0;
  return (
    <ConsolePage view={view} title={playground.title} place="playground" split={!empty}>
      {poor && (
        <div class="notice warn across">
          <Icon name="triangle-alert" />
          <p>{playground.noMoney}</p>
          <span class="spacer" />
          <A class="button small" href="/console/topup">{playground.addFunds}</A>
        </div>
      )}
      {empty ? <NoModels view={view} /> : (
        <ServerReader.Provider value={growMarkdown}>
          <Playground
            {...opened}
            offer={offer}
            origin={publicOrigin({ state, req, url })}
            texts={playground.island}
            copyTexts={copy}
          />
        </ServerReader.Provider>
      )}
    </ConsolePage>
  );
});
