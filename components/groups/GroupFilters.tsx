import type { GroupQuery } from "../../lib/console/groups/group_list.ts";
import { sortText } from "../../lib/console/page/list_query.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { FilterSheet } from "../FilterSheet.tsx";
import { SearchField } from "../SearchField.tsx";

/** Which groups are shown, and which models beside them. */
export function GroupFilters({ view, query }: { view: AccountView; query: GroupQuery }) {
  const { groups: texts, modelList } = view.catalog;
  return (
    <FilterSheet
      view={view}
      label={texts.filter}
      used={[query.text, query.model].filter(Boolean).length}
      action="/console/admin/groups"
    >
      <SearchField label={texts.name} value={query.text} />
      <SearchField label={texts.model} value={query.model} name="model" />
      <input type="hidden" name="sort" value={sortText(query.sort)} />
      <button class="button" type="submit">{modelList.apply}</button>
    </FilterSheet>
  );
}
