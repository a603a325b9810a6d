import type { SteppedUsage } from "../../lib/console/keys/subject_usage.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ProjectRow } from "../../lib/console/projects/project_list.ts";
import type { EffectiveBounds } from "../../lib/ledger/mod.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { SubjectCalls, SubjectCost, SubjectFigures } from "../keys/SubjectUsage.tsx";
import { untranslated } from "../untranslated.ts";
import { Figure } from "../values.tsx";
import { ProjectStatus } from "./ProjectPanel.tsx";

interface ProjectHeadProps {
  readonly view: AccountView;
  readonly row: ProjectRow;
  /** True for administrators of the gateway. */
  readonly isManaged?: boolean;
}

/** The state of a project, and the actions of administrators. */
export function ProjectHead({ view, row: { project }, isManaged = false }: ProjectHeadProps) {
  const { catalog: { projects: texts }, formats } = view;
  const models = project.models ?? [];
  return (
    <div class="across object-head">
      <p>
        <ProjectStatus view={view} project={project} />
        <span class="soft">
          {texts.since(formats.day(project.createdAtMs))}
          {models.length > 0 && (
            <>
              {", "}
              <span {...untranslated}>{formats.list(models)}</span>
            </>
          )}
        </span>
      </p>
      {isManaged && <Actions view={view} project={project} />}
    </div>
  );
}

function Actions(
  { view: { catalog: { projects: texts } }, project: { id, archivedAtMs } }:
    & Pick<ProjectHeadProps, "view">
    & Pick<ProjectRow, "project">,
) {
  const path = `/console/admin/projects/${id}/archived`;
  return (
    <>
      <A class="button" href={`/console/admin/audit?q=${id}`}>{texts.changes}</A>
      {archivedAtMs === undefined
        ? <A class="button" href={path}>{texts.archive}</A>
        : (
          <Form action={path}>
            <button class="button" type="submit" name="archived" value="false">
              {texts.restore}
            </button>
          </Form>
        )}
    </>
  );
}

interface ProjectUseProps {
  readonly view: AccountView;
  readonly row: ProjectRow;
  readonly usage: SteppedUsage | undefined;
}

interface ProjectFiguresProps extends ProjectUseProps {
  readonly bounds: EffectiveBounds | undefined;
}

/** The filters of the log for the calls of a project, if the reader may see them. */
function logOf({ view: { may }, row: { project } }: ProjectUseProps) {
  return may("calls:read") ? { who: "everyone", project: project.id } : undefined;
}

/** The spend, limit, calls and members of a project. */
export function ProjectFigures(props: ProjectFiguresProps) {
  const { view: { catalog: { projects: texts, groupPage }, formats }, row, usage, bounds } = props;
  return (
    <SubjectFigures view={props.view} usage={usage} bounds={bounds} log={logOf(props)}>
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
