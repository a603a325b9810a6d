import {
  type GroupCell,
  type MatrixRow,
  unpricedRule,
} from "../../lib/console/groups/group_form.ts";
import {
  groupList,
  type GroupQuery,
  type GroupRow,
  matrixHref,
  matrixQuery,
} from "../../lib/console/groups/group_list.ts";
import type { ListPage } from "../../lib/console/page/define_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { defaultGroupId, type Group } from "../../lib/store/catalog/mod.ts";
import { Panel } from "../Panel.tsx";
import { Empty, Status } from "../States.tsx";
import { ListTable, Pager } from "../Table.tsx";
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
        <>
          <p class="hint below">
            <A class="link" href={`${matrixHref(props.query)}#matrix`}>{texts.showMatrix}</A>
          </p>
          {props.page?.total === 1 && (
            <Empty icon="layers" title={texts.only} text={texts.onlyText}>
              <A class="button" href="/console/admin/groups/new">{texts.add}</A>
            </Empty>
          )}
        </>
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

/** The price of each model in each group, or the reason why it has none. */
export function GroupMatrix({ view, query, groups, page }: {
  view: AccountView;
  query: GroupQuery;
  groups: readonly Group[];
  page: ListPage<MatrixRow>;
}) {
  const { groups: texts, lists } = view.catalog;
  const { page: at } = matrixQuery(query);
  return (
    <Panel id="matrix" title={texts.matrix}>
      {page.rows.length === 0
        ? <Empty icon="layers" title={texts.empty} text={texts.emptyText} />
        : (
          <>
            <ListTable
              oneLine
              caption={texts.matrix}
              rows={page.rows}
              keyOf={({ model }) => model}
              columns={[
                {
                  head: texts.model,
                  type: "name",
                  cell: ({ model }) => <span {...untranslated}>{model}</span>,
                },
                ...groups.map(({ id }, place) => ({
                  head: id,
                  cell: ({ cells }: MatrixRow) => <CellText view={view} cell={cells[place]} />,
                })),
              ]}
            />
            <p class="hint below">{texts.matrixText}</p>
          </>
        )}
      <Pager
        lists={lists}
        of={texts.matrix}
        previous={at > 1 ? matrixHref(query, at - 1) : undefined}
        next={page.hasMore ? matrixHref(query, at + 1) : undefined}
      />
    </Panel>
  );
}

const toneOf = { free: "warn", noPrice: "bad", noUpstream: "warn", outside: "off" } as const;

function CellText({ view, cell }: { view: AccountView; cell: GroupCell }) {
  const { catalog: { groups: texts }, formats } = view;
  if (cell.type !== "priced") return <Status tone={toneOf[cell.type]}>{texts[cell.type]}</Status>;
  const { input, output } = cell.price;
  return <>{texts.priceText(formats.usd(input), formats.usd(output))}</>;
}
