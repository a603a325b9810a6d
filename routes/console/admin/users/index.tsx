import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { Pager } from "../../../../components/Pager.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { Empty, Failed } from "../../../../components/States.tsx";
import { UserFilters } from "../../../../components/users/UserFilters.tsx";
import { UserTable } from "../../../../components/users/UserTable.tsx";
import Notice from "../../../../islands/Notice.tsx";
import { tryLoad } from "../../../../lib/console/page/try_load.ts";
import { pageRowsOf } from "../../../../lib/console/page/page_rows.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { readUserQuery, userRows, usersPath } from "../../../../lib/console/users/user_rows.ts";
import { accountView } from "../../../../lib/console/page/view.ts";

/** All users; `readUserQuery` says which, in which order and from where on. */
export const handler = defineForAccount.handlers({
  async GET({ url, state: { services, nowMs } }) {
    const query = readUserQuery(url.searchParams);
    const options = { store: services.store, nowMs, pageRows: pageRowsOf(services) };
    return page({ query, found: await tryLoad(userRows(query, options)) });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { query, found }, state, url }) => {
  const view = accountView(state, url);
  const { users: texts } = view.catalog;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="users"
      action={
        <A class="button primary" href="/console/admin/users/invite">
          <Icon name="plus" />
          {texts.invite}
        </A>
      }
    >
      {url.searchParams.get("done") === "deleted" && <Notice text={texts.deleted} />}
      <Panel id="users" title={texts.count(found?.total ?? 0)}>
        <UserFilters
          view={view}
          query={query}
          groupIds={state.services.directory.groups().map(({ id }) => id)}
        />
        {found?.compared !== undefined && (
          <p class="body soft">
            {texts.compared(view.formats.count(found.compared), view.formats.count(found.total))}
          </p>
        )}
        {found === undefined
          ? <Failed title={texts.failed} retry={texts.retry} path={view.path} />
          : found.rows.length > 0
          ? <UserTable view={view} rows={found.rows} query={query} />
          : (
            <Empty icon="search" title={texts.noMatch}>
              <A class="button" href="/console/admin/users">{texts.clear}</A>
            </Empty>
          )}
        <Pager
          texts={texts}
          newest={query.page > 1 ? usersPath(query) : undefined}
          older={found?.hasMore ? usersPath(query, query.page + 1) : undefined}
        />
      </Panel>
    </ConsolePage>
  );
});
