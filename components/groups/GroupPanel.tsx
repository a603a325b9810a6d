import { unpricedRule } from "../../lib/console/groups/group_form.ts";
import { groupList, type GroupRow, matrixHref } from "../../lib/console/groups/group_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { defaultGroupId } from "../../lib/store/catalog/mod.ts";
import { A, type ColumnsOf, ListPanel, type PanelProps, untranslated } from "../list.ts";

/** All groups, with the link to the prices of all models in them. */
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
      below={
        <p class="hint below">
          <A class="link" href={`${matrixHref(props.query)}#matrix`}>{texts.showMatrix}</A>
        </p>
      }
    />
  );
}

function columns(
  { catalog: { groups: texts }, formats }: AccountView,
): ColumnsOf<typeof groupList> {
  return [
    {
      head: texts.name,
      at: "name",
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
      at: "first",
      cell: ({ group }) => group.models.includes("*") ? texts.allModels : <Models group={group} />,
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
      at: "below",
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

const modelsShown = 2;

function Models({ group: { models } }: Pick<GroupRow, "group">) {
  const rest = models.length - modelsShown;
  return (
    <span title={rest > 0 ? models.join(", ") : undefined} {...untranslated}>
      {models.slice(0, modelsShown).join(", ") + (rest > 0 ? ` +${rest}` : "")}
    </span>
  );
}

function usersIn(use: GroupRow["use"]): number {
  return new Set(use?.keys.map(({ owner }) => owner)).size;
}
