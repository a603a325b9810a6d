import { page } from "fresh";
import { A } from "../components/A.tsx";
import { BarePage } from "../components/layout/BarePage.tsx";
import { ModelPanel } from "../components/models/ModelPanel.tsx";
import { publicGroups } from "../lib/console/groups/account_groups.ts";
import { modelList } from "../lib/console/models/model_list.ts";
import { readModelList } from "../lib/console/models/read_models.ts";
import { seeOther } from "../lib/console/page/address.ts";
import { readQuery } from "../lib/console/page/define_list.ts";
import { formatsFor } from "../lib/console/page/format.ts";
import { define } from "../lib/console/session/state.ts";

/** The public pricing page, if the settings enable it: the groups open to every member. */
export const handler = define.handlers({
  async GET({ url, state }) {
    const { services: { directory }, settings, account } = state;
    if (account || !settings.publicPricing) {
      return seeOther(`/console/pricing${url.search}`);
    }
    const query = readQuery(modelList, url.searchParams, url.pathname);
    return page({ query, list: await readModelList(state, publicGroups(directory), query) });
  },
});

export default define.page<typeof handler>(({ data: { query, list }, state, url }) => {
  const { models, modelList: texts, settings } = state.catalog;
  const path = url.pathname + url.search;
  const view = { catalog: state.catalog, locale: state.locale, formats: formatsFor(state), path };
  return (
    <BarePage view={state} title={models.title} back={path} wide>
      <div class="between">
        <h1>{models.title}</h1>
        <A class="button primary" href="/login">{settings.toSignIn}</A>
      </div>
      <ModelPanel view={view} query={query} page={list} />
      {list.total > 0 && <p class="soft">{texts.notePublic}</p>}
    </BarePage>
  );
});
