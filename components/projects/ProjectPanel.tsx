import { periodText } from "../../lib/console/keys/budget_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { projectList, type ProjectRow } from "../../lib/console/projects/project_list.ts";
import { A, type ColumnsOf, ListPanel, type PanelProps, Status, untranslated } from "../list.ts";
import { dollarsCell } from "../values.tsx";

/** All projects. */
export function ProjectPanel(props: PanelProps<typeof projectList>) {
  const { projects: texts } = props.view.catalog;
  return (
    <ListPanel
      {...props}
      id="projects"
      list={projectList}
      texts={texts}
      icon="columns-2"
      firstStep={<A class="button" href="/console/admin/projects/new">{texts.add}</A>}
      columns={columns(props.view)}
      keyOf={({ project }) => project.id}
      isOff={({ project }) => project.archivedAtMs !== undefined}
      filters={[
        { name: "q", label: texts.name },
        {
          name: "status",
          label: texts.status,
          any: texts.anyStatus,
          options: [["active", texts.active], ["archived", texts.archived]],
        },
      ]}
    />
  );
}

function columns(
  view: AccountView,
): ColumnsOf<typeof projectList> {
  const { catalog: { projects: texts }, formats } = view;
  return [
    {
      head: texts.name,
      sort: "name",
      type: "name",
      at: "name",
      cell: ({ project: { id } }) => (
        <A href={`/console/admin/projects/${id}`} {...untranslated}>{id}</A>
      ),
    },
    {
      head: texts.status,
      at: "below",
      cell: ({ project }) => <ProjectStatus view={view} project={project} />,
    },
    {
      head: texts.members,
      sort: "members",
      type: "number",
      cell: ({ members }) => formats.count(members.length),
    },
    {
      head: texts.keys,
      sort: "keys",
      type: "number",
      cell: ({ keys }) => formats.count(keys.length),
    },
    {
      head: texts.spent,
      sort: "spent",
      type: "number",
      at: "first",
      cell: dollarsCell(formats, ({ spentNanoUsd }) => spentNanoUsd),
    },
    { head: texts.budgetsUsed, class: "wrap quiet", cell: (row) => budgetText(row, view) },
  ];
}

export function ProjectStatus(
  { view: { catalog: { projects: texts } }, project }:
    & { view: AccountView }
    & Pick<ProjectRow, "project">,
) {
  return project.archivedAtMs === undefined
    ? <Status tone="ok">{texts.active}</Status>
    : <Status tone="off">{texts.archived}</Status>;
}

/** The used part of each budget: `daily $1.20 of $5`. */
export function budgetText(
  { budgets }: Pick<ProjectRow, "budgets">,
  { catalog, formats }: AccountView,
): string {
  const { projects: texts } = catalog;
  const parts = budgets.map(({ budget: { period, nanoUsd }, spentNanoUsd }) => {
    const used = texts.used(formats.money(spentNanoUsd), formats.money(nanoUsd));
    return `${periodText(texts.periods, period, catalog)} ${used}`;
  });
  return parts.length > 0 ? parts.join(", ") : texts.noBudget;
}
