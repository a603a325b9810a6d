import { page } from "fresh";
import { ConsolePage } from "../../../../components/ConsolePage.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { Pager } from "../../../../components/Pager.tsx";
import { Empty } from "../../../../components/States.tsx";
import { UserTable } from "../../../../components/UserTable.tsx";
import { loaded } from "../../../../lib/console/loaded.ts";
import { defineForAccount } from "../../../../lib/console/state.ts";
import { readUserQuery, userRows, usersPath } from "../../../../lib/console/user_rows.ts";
import { accountView } from "../../../../lib/console/view.ts";

/** All users: `?q=` and `role` say which, `page` goes on. */
export const handler = defineForAccount.handlers({
  async GET({ url, state: { services: { store }, nowMs } }) {
    const query = readUserQuery(url.searchParams);
    return page({ query, found: await loaded(userRows(store, query, nowMs)) });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { query, found }, state, url }) => {
  const view = accountView(state, url);
  const { users: texts, account } = view.catalog;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="users"
      action={
        <a class="button primary" href="/console/admin/users/invite" aria-current="false">
          <Icon name="plus" />
          {texts.invite}
        </a>
      }
    >
      <section class="panel" aria-labelledby="users">
        <header>
          <h2 id="users">{texts.count(found?.total ?? 0)}</h2>
          <span class="spacer" />
          <form class="filters" role="search" aria-label={texts.filter}>
            <select class="input" name="role" aria-label={texts.role}>
              <option value="">{texts.anyRole}</option>
              {(["administrator", "member"] as const).map((role) => (
                <option key={role} value={role} selected={role === query.role}>
                  {account[role]}
                </option>
              ))}
            </select>
            <input
              class="input"
              type="search"
              name="q"
              aria-label={texts.search}
              placeholder={texts.search}
              autocomplete="off"
              value={query.text}
            />
            <button class="button" type="submit">{texts.filter}</button>
          </form>
        </header>
        {found === undefined
          ? (
            <Empty icon="triangle-alert" title={texts.failed}>
              <a class="button" href={view.path} aria-current="false">{texts.retry}</a>
            </Empty>
          )
          : found.rows.length > 0
          ? <UserTable view={view} rows={found.rows} />
          : (
            <Empty icon="search" title={texts.noMatch}>
              <a class="button" href="/console/admin/users" aria-current="false">{texts.clear}</a>
            </Empty>
          )}
        <Pager
          texts={texts}
          newest={query.page > 1 ? usersPath(query) : undefined}
          older={found?.hasMore ? usersPath(query, query.page + 1) : undefined}
        />
      </section>
    </ConsolePage>
  );
});
