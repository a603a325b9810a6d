import { page } from "fresh";
import { may } from "../../../lib/accounts/mod.ts";
import { ConsolePage } from "../../../components/ConsolePage.tsx";
import { ModelTable } from "../../../components/ModelTable.tsx";
import { Empty } from "../../../components/States.tsx";
import { groupsOf } from "../../../lib/console/account_groups.ts";
import { loaded } from "../../../lib/console/loaded.ts";
import { isOffered, modelRows } from "../../../lib/console/model_rows.ts";
import { defineForAccount } from "../../../lib/console/state.ts";
import { accountView } from "../../../lib/console/view.ts";
import { listApiKeys } from "../../../lib/store/mod.ts";

/** The models that the account's groups may call; `?q=` shows those whose name holds a text. */
export const handler = defineForAccount.handlers({
  async GET({ url, state: { services: { store, directory }, account: { user }, nowMs } }) {
    const keys = await loaded(listApiKeys(store, { accountId: user.id }));
    const groups = groupsOf(user, keys ?? [], directory);
    const all = modelRows(groups, directory, nowMs)
      .filter((row) => may(user, "manage-upstreams") || isOffered(row, groups));
    const text = (url.searchParams.get("q") ?? "").trim().slice(0, 100);
    const rows = all.filter(({ id }) => id.toLowerCase().includes(text.toLowerCase()));
    return page({ rows, text, total: all.length });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { models, keys } = view.catalog;
  const { rows, text, total } = data;
  return (
    <ConsolePage view={view} title={models.title} place="models">
      <section class="panel" aria-labelledby="models">
        <header>
          <h2 id="models">{models.count(rows.length)}</h2>
          <span class="spacer" />
          {total > 0 && (
            <form class="filters" role="search" aria-label={keys.filter}>
              <input
                class="input"
                type="search"
                name="q"
                aria-label={models.search}
                placeholder={models.search}
                autocomplete="off"
                value={text}
              />
              <button class="button" type="submit">{keys.filter}</button>
            </form>
          )}
        </header>
        {total === 0
          ? <Empty icon="tags" title={models.empty} text={models.emptyText} />
          : rows.length === 0
          ? (
            <Empty icon="search" title={models.noMatch}>
              <a class="button" href="/console/pricing" aria-current="false">{keys.clear}</a>
            </Empty>
          )
          : (
            <ModelTable
              view={view}
              rows={rows}
              setsPrices={view.user.role === "administrator"}
            />
          )}
      </section>
      {rows.some(({ price }) => price) && <p class="soft">{models.charged}</p>}
    </ConsolePage>
  );
});
