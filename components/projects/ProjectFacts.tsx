import type { AccountView } from "../../lib/console/page/view.ts";
import type { ProjectRow } from "../../lib/console/projects/project_list.ts";
import { A } from "../A.tsx";
import { Fact, Facts } from "../Facts.tsx";
import { Dollars } from "../Dollars.tsx";
import { Panel } from "../Panel.tsx";
import { budgetText, ProjectStatus } from "./ProjectPanel.tsx";

/** The spending of a project, and the actions of administrators. */
export function ProjectFacts(
  { view, row, isManaged = false }: {
    view: AccountView;
    row: ProjectRow;
    /** True for administrators of the gateway. */
    isManaged?: boolean;
  },
) {
  const { catalog: { projects: texts }, formats } = view;
  const { project, spentNanoUsd, members, keys } = row;
  return (
    <Panel id="facts" title={texts.facts} end={isManaged && <Links view={view} row={row} />}>
      <div class="body fields">
        <Facts>
          <Fact name={texts.status}>
            <ProjectStatus view={view} project={project} />
          </Fact>
          <Fact name={texts.spent}>
            <Dollars nanoUsd={spentNanoUsd} formats={formats} />
          </Fact>
          <Fact name={texts.budgetsUsed}>{budgetText(row, view)}</Fact>
          <Fact name={texts.members}>{formats.count(members.length)}</Fact>
          <Fact name={texts.keys}>{formats.count(keys.length)}</Fact>
        </Facts>
        {isManaged && <Actions view={view} row={row} />}
      </div>
    </Panel>
  );
}

function Links({ view: { catalog: { projects: texts } }, row: { project: { id } } }: {
  view: AccountView;
  row: ProjectRow;
}) {
  return (
    <>
      <A class="link" href={`/console/log?who=everyone&project=${id}&period=30d`}>
        {texts.showCalls}
      </A>
      <A class="link" href={`/console/admin/audit?q=${id}`}>{texts.changes}</A>
    </>
  );
}

function Actions({ view: { catalog: { projects: texts } }, row: { project } }: {
  view: AccountView;
  row: ProjectRow;
}) {
  const path = `/console/admin/projects/${project.id}/archived`;
  return (
    <div class="actions start">
      {project.archivedAtMs === undefined
        ? <A class="button" href={path}>{texts.archive}</A>
        : (
          <form method="post" action={path}>
            <button class="button" type="submit" name="archived" value="false">
              {texts.restore}
            </button>
          </form>
        )}
    </div>
  );
}
