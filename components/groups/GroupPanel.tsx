import { unpricedRule } from "../../lib/console/groups/group_form.ts";
import { groupList, type GroupQuery, type GroupRow } from "../../lib/console/groups/group_list.ts";
import type { ListPage } from "../../lib/console/page/define_list.ts";
import { type AccountView, defaultGroupId } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { ListPanel } from "../ListPanel.tsx";
import { ListTable, type TableColumn } from "../ListTable.tsx";
import { untranslated } from "../untranslated.ts";

/** All groups, and the controls that filter the models beside them. */
export function GroupPanel({ view, query, page }: {
  view: AccountView;
  query: GroupQuery;
  page: ListPage<GroupRow>;
}) {
  const { groups: texts } = view.catalog;
  return (
    <ListPanel
      view={view}
      id="groups"
      list={groupList}
      query={query}
      page={page}
      texts={texts}
      icon="layers"
      oneLine
      columns={columns(view)}
      keyOf={({ group }) => group.id}
      filters={[{ name: "q", label: texts.name }, { name: "model", label: texts.model }]}
    />
  );
}

/** One group, for the page of a declared group. */
export function GroupTable({ view, row }: { view: AccountView; row: GroupRow }) {
  const { groups: texts } = view.catalog;
  return (
    <ListTable
      oneLine
      caption={texts.caption}
      columns={columns(view)}
      rows={[row]}
      keyOf={({ group }) => group.id}
    />
  );
}

function columns(
  { catalog: { groups: texts, units }, formats }: AccountView,
): readonly TableColumn<GroupRow, GroupQuery["sort"]["column"]>[] {
  return [
    {
      head: texts.name,
      sort: "name",
      type: "name",
      cell: ({ group: { id, origin } }) => (
        <span>
          <A href={`/console/admin/groups/${id}`} {...untranslated}>{id}</A>
          {origin === "config" && <span class="tag">{texts.declared}</span>}
        </span>
      ),
    },
    {
      head: texts.models,
      class: "wrap",
      cell: ({ group }) => <span {...untranslated}>{group.models.join(", ")}</span>,
    },
    {
      head: texts.formats,
      class: "wrap quiet",
      cell: ({ group }) =>
        group.formats.map((name) => name === "*" ? texts.all : units.formats[name]).join(", "),
    },
    {
      head: texts.ratio,
      sort: "ratio",
      type: "number",
      cell: ({ group }) => formats.count(group.priceRatio),
    },
    {
      head: texts.unpriced,
      class: "quiet",
      cell: ({ group }) => texts.unpricedRule[unpricedRule(group)],
    },
    {
      head: texts.access,
      class: "quiet",
      cell: ({ group: { id, forMembers } }) =>
        forMembers || id === defaultGroupId ? texts.everybody : texts.administrators,
    },
    {
      head: texts.keys,
      sort: "keys",
      type: "number",
      cell: ({ use: { keys = [] } = {} }) => formats.count(keys.length),
    },
    {
      head: texts.users,
      type: "number",
      cell: ({ use: { keys = [] } = {} }) =>
        formats.count(new Set(keys.map(({ owner }) => owner)).size),
    },
    {
      head: texts.upstreams,
      type: "number",
      cell: ({ use }) => formats.count(use?.serving ?? 0),
    },
  ];
}
