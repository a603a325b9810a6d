import { page } from "fresh";
import { BarePage } from "../components/BarePage.tsx";
import { ModelPanel } from "../components/ModelPanel.tsx";
import { formatsFor } from "../lib/console/format.ts";
import { readModelQuery } from "../lib/console/model_list.ts";
import { readModelList } from "../lib/console/read_model_list.ts";
import { define } from "../lib/console/state.ts";
import { publicGroups } from "../lib/console/account_groups.ts";

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
        <a class="button primary" href="/login" aria-current="false">{texts.toSignIn}</a>
      </div>
      <ModelPanel view={view} query={query} list={list} linked={false} />
      {list.total > 0 && <p class="soft">{modelList.notePublic}</p>}
    </BarePage>
  );
});
