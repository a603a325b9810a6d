import { unpricedRule } from "../../lib/console/groups/group_form.ts";
import { groupList, type GroupRow } from "../../lib/console/groups/group_list.ts";
import { type AccountView, defaultGroupId } from "../../lib/console/page/view.ts";
import { A, type ColumnsOf, ListPanel, ListTable, type PanelProps, untranslated } from "../list.ts";

/** All groups, and the controls that filter the models beside them. */
export function GroupPanel(props: PanelProps<typeof groupList>) {
  const { groups: texts } = props.view.catalog;
  return (
    <ListPanel
      {...props}
      id="groups"
      list={groupList}
      texts={texts}
      icon="layers"
      oneLine
      columns={columns(props.view)}
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
): ColumnsOf<typeof groupList> {
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
    { head: texts.models, class: "wrap", cell: ({ group }) => <Models group={group} /> },
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
    { head: texts.users, type: "number", cell: ({ use }) => formats.count(usersIn(use)) },
    {
      head: texts.upstreams,
      type: "number",
      cell: ({ use }) => formats.count(use?.serving ?? 0),
    },
  ];
}

function Models({ group: { models } }: Pick<GroupRow, "group">) {
  return <span {...untranslated}>{models.join(", ")}</span>;
}

function usersIn(use: GroupRow["use"]): number {
  return new Set(use?.keys.map(({ owner }) => owner)).size;
}
