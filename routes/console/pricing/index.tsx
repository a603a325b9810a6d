import { page } from "fresh";
import { A } from "../../../components/A.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { ModelPanel } from "../../../components/models/ModelPanel.tsx";
import { groupsOf } from "../../../lib/console/groups/account_groups.ts";
import { modelList } from "../../../lib/console/models/model_list.ts";
import { administers, readModelList } from "../../../lib/console/models/read_models.ts";
import { readQuery } from "../../../lib/console/page/define_list.ts";
import { tryLoad } from "../../../lib/console/page/reading.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { listApiKeys } from "../../../lib/store/api_keys/mod.ts";

/**
 * The models that the account's groups may call, with measurements and prices; administrators also
 * see upstreams, price sources and the spend of all accounts. The URL holds filters, order and page.
 */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    const { services: { store, directory }, account: { user } } = state;
    const keys = await tryLoad(listApiKeys(store, { accountId: user.id }));
    const query = readQuery(modelList, url.searchParams, url.pathname);
    const groups = groupsOf(user, keys ?? [], directory);
    return page({ query, list: await readModelList(state, groups, query) });
  },
});

export default accountPage<typeof handler>(({ data, state, view }) => {
  const { query, list } = data;
  const { models, modelList: texts } = view.catalog;
  const isAdministrator = administers(state);
  return (
    <ConsolePage
      view={view}
      title={models.title}
      place="models"
      action={isAdministrator && (
        <A class="button" href="/console/admin/upstreams/new">
          <Icon name="plus" small />
          {texts.addUpstream}
        </A>
      )}
    >
      <ModelPanel
        view={view}
        query={query}
        page={list}
        reader={isAdministrator ? "administrator" : "member"}
      />
      {list.total > 0 && <p class="soft">{texts.note}</p>}
    </ConsolePage>
  );
});
