import { page } from "fresh";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { ModelPanel } from "../../../components/models/ModelPanel.tsx";
import { groupsOf } from "../../../lib/console/groups/account_groups.ts";
import { modelList, readModelList } from "../../../lib/console/models/model_list.ts";
import { readQuery } from "../../../lib/console/page/define_list.ts";
import { tryLoad } from "../../../lib/console/page/try_load.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { listApiKeys } from "../../../lib/store/api_keys/mod.ts";

/** The models that the account's groups may call; the URL holds filters, order and page. */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    const { services: { store, directory }, account: { user } } = state;
    const keys = await tryLoad(listApiKeys(store, { accountId: user.id }));
    const query = readQuery(modelList, url.searchParams, url.pathname);
    const groups = groupsOf(user, keys ?? [], directory);
    return page({ query, list: await readModelList(state, groups, query) });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { query, list }, state, url }) => {
  const view = accountView(state, url);
  const { models, modelList: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={models.title} place="models">
      <ModelPanel
        view={view}
        query={query}
        page={list}
        setsPrices={view.user.role === "administrator"}
      />
      {list.total > 0 && <p class="soft">{texts.note}</p>}
    </ConsolePage>
  );
});
