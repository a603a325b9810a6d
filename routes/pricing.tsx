import { page } from "fresh";
import { A } from "../components/A.tsx";
import { BarePage } from "../components/layout/BarePage.tsx";
import { ModelPanel } from "../components/models/ModelPanel.tsx";
import { formatsFor } from "../lib/console/page/format.ts";
import { readModelQuery } from "../lib/console/models/model_list.ts";
import { readModelList } from "../lib/console/models/read_model_list.ts";
import { define } from "../lib/console/session/state.ts";
import { publicGroups } from "../lib/console/groups/account_groups.ts";

/** Models and prices for who is not signed in, where the settings allow it: those of the groups that members may use. */
export const handler = define.handlers({
  async GET({ url, state }) {
    const { services: { directory }, settings, account } = state;
    if (account || !settings.publicPricing) {
      const location = `/console/pricing${url.search}`;
      return new Response(null, { status: 303, headers: { location } });
    }
    const query = readModelQuery(url);
    return page({ query, list: await readModelList(state, publicGroups(directory), query) });
  },
});

export default define.page<typeof handler>(({ data: { query, list }, state, url }) => {
  const { models, modelList, settings: texts } = state.catalog;
  const view = { catalog: state.catalog, locale: state.locale, formats: formatsFor(state) };
  return (
    <BarePage view={state} title={models.title} back={url.pathname + url.search} wide>
      <div class="between">
        <h1>{models.title}</h1>
        <A class="button primary" href="/login">{texts.toSignIn}</A>
      </div>
      <ModelPanel view={view} query={query} list={list} linked={false} />
      {list.total > 0 && <p class="soft">{modelList.notePublic}</p>}
    </BarePage>
  );
});
