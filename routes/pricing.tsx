import { page } from "fresh";
import { BarePage } from "../components/BarePage.tsx";
import { ModelTable } from "../components/ModelTable.tsx";
import { Empty } from "../components/States.tsx";
import { formatsFor } from "../lib/console/format.ts";
import { isOffered, modelRows } from "../lib/console/model_rows.ts";
import { define } from "../lib/console/state.ts";
import { defaultGroupId } from "../lib/store/mod.ts";

/** Models and prices for who is not signed in, where the settings allow it: those of the groups that members may use. */
export const handler = define.handlers({
  GET({ state: { services: { directory }, settings, account, nowMs } }) {
    if (account || !settings.publicPricing) {
      return new Response(null, { status: 303, headers: { location: "/console/pricing" } });
    }
    const groups = directory.groups().filter(({ id, forMembers }) =>
      forMembers || id === defaultGroupId
    );
    return page({
      rows: modelRows(groups, directory, nowMs).filter((row) => isOffered(row, groups)),
    });
  },
});

export default define.page<typeof handler>(({ data: { rows }, state }) => {
  const { models, settings: texts } = state.catalog;
  const view = { catalog: state.catalog, formats: formatsFor(state) };
  return (
    <BarePage view={state} title={models.title} back="/pricing" wide>
      <div class="between">
        <h1>{models.title}</h1>
        <a class="button primary" href="/login" aria-current="false">{texts.toSignIn}</a>
      </div>
      <section class="panel" aria-labelledby="models">
        <header>
          <h2 id="models">{models.count(rows.length)}</h2>
        </header>
        {rows.length === 0
          ? <Empty icon="tags" title={models.empty} />
          : <ModelTable view={view} rows={rows} linked={false} />}
      </section>
      {rows.some(({ price }) => price) && <p class="soft">{models.charged}</p>}
    </BarePage>
  );
});
