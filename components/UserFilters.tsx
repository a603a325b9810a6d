import { type UserQuery, userSorts } from "../lib/console/user_rows.ts";
import type { AccountView } from "../lib/console/view.ts";
import { FilterSheet } from "./FilterSheet.tsx";

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
      <input
        class="input"
        type="search"
        name="q"
        aria-label={texts.search}
        placeholder={texts.search}
        autocomplete="off"
        value={query.text}
      />
      <Choice
        name="role"
        label={texts.role}
        any={texts.anyRole}
        chosen={query.role}
        choices={[["administrator", account.administrator], ["member", account.member]]}
      />
      <Choice
        name="status"
        label={texts.status}
        any={texts.anyStatus}
        chosen={query.status}
        choices={[["enabled", texts.enabled], ["disabled", texts.disabled]]}
      />
      <Choice
        name="group"
        label={texts.groups}
        any={texts.anyGroup}
        chosen={query.group}
        choices={groupIds.map((id) => [id, id])}
      />
      <Choice
        name="sort"
        label={texts.order}
        chosen={query.sort}
        choices={userSorts.map((sort) => [sort, texts.orders[sort]])}
      />
      <button class="button" type="submit">{texts.filter}</button>
      {used > 0 && (
        <a class="link" href="/console/admin/users" aria-current="false">{texts.clear}</a>
      )}
    </FilterSheet>
  );
}

function Choice(
  { name, label, any, chosen, choices }: {
    name: string;
    label: string;
    /** What means all; absent where one must be chosen. */
    any?: string;
    chosen?: string;
    choices: readonly (readonly [string, string])[];
  },
) {
  return (
    <select class="input" name={name} aria-label={label}>
      {any && <option value="">{any}</option>}
      {choices.map(([value, text]) => (
        <option key={value} value={value} selected={value === chosen}>{text}</option>
      ))}
    </select>
  );
}
