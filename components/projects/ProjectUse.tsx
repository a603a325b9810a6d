import type { SteppedUsage } from "../../lib/console/keys/subject_usage.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ProjectRow } from "../../lib/console/projects/project_list.ts";
import { SubjectCalls } from "../keys/SubjectCalls.tsx";
import { SubjectCost } from "../keys/SubjectCost.tsx";
import { SubjectFigures } from "../keys/SubjectFigures.tsx";
import { Figure } from "../values.tsx";

interface ProjectUseProps {
  readonly view: AccountView;
  readonly row: ProjectRow;
  readonly usage: SteppedUsage | undefined;
}

/** The filters of the log for the calls of a project, if the reader may see them. */
function logOf({ view: { user }, row: { project } }: ProjectUseProps) {
  return user.role === "administrator" ? { who: "everyone", project: project.id } : undefined;
}

/** The spend, limit, calls and members of a project. */
export function ProjectFigures(props: ProjectUseProps) {
  const { view: { catalog: { projects: texts, groupPage }, formats }, row, usage } = props;
  return (
    <SubjectFigures view={props.view} usage={usage} budgets={row.budgets} log={logOf(props)}>
      <Figure name={texts.members} value={formats.count(row.members.length)}>
        {groupPage.keyCount(row.keys.length)}
      </Figure>
    </SubjectFigures>
  );
}

/** The spend and the calls of a project by day or hour. */
export function ProjectCharts(props: ProjectUseProps) {
  const { view, usage } = props;
  const { groupPage: texts } = view.catalog;
  const log = logOf(props);
  return (
    <>
      <SubjectCost
        view={view}
        title={texts.cost}
        usage={usage}
        others={texts.spend}
        log={log}
      />
      <SubjectCalls view={view} usage={usage} log={log} />
    </>
  );
}
