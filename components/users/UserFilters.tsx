import { type UserQuery, userSorts } from "../../lib/console/users/user_rows.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Choice } from "../Choice.tsx";
import { FilterSheet } from "../FilterSheet.tsx";
import { SearchField } from "../SearchField.tsx";

/** Which users are shown, and in which order. */
export function UserFilters(
  { view, query, groupIds }: {
    view: AccountView;
    query: UserQuery;
    groupIds: readonly string[];
  },
) {
  const { users: texts, account } = view.catalog;
  const used = [query.text, query.role, query.status, query.group].filter(Boolean).length;
  return (
    <FilterSheet view={view} label={texts.filter} used={used} class="filters below-head">
      <SearchField label={texts.search} value={query.text} />
      <Choice
        name="role"
        label={texts.role}
        any={texts.anyRole}
        value={query.role}
        options={[["administrator", account.administrator], ["member", account.member]]}
      />
      <Choice
        name="status"
        label={texts.status}
        any={texts.anyStatus}
        value={query.status}
        options={[["enabled", texts.enabled], ["disabled", texts.disabled]]}
      />
      <Choice
        name="group"
        label={texts.groups}
        any={texts.anyGroup}
        value={query.group}
        options={groupIds.map((id) => [id, id])}
      />
      <Choice
        name="sort"
        label={texts.order}
        value={query.sort}
        options={userSorts.map((sort) => [sort, texts.orders[sort]])}
      />
      <button class="button" type="submit">{texts.filter}</button>
      {used > 0 && <A class="link" href="/console/admin/users">{texts.clear}</A>}
    </FilterSheet>
  );
}
