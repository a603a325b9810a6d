import { callsScope } from "../../lib/console/overview/spend_chart.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ProjectRow } from "../../lib/console/projects/project_list.ts";
import type { ProjectUse } from "../../lib/console/projects/project_page.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { PeriodMenu } from "../PeriodMenu.tsx";
import { SubjectFigures } from "../keys/SubjectUsage.tsx";
import { SpendPanel } from "../overview/SpendPanel.tsx";
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
  readonly data: ProjectUse;
}

/** The spend, limit, calls and members of a project. */
export function ProjectFigures({ view, data: { row, query, spending, bounds } }: ProjectUseProps) {
  const { catalog: { projects: texts, groupPage }, formats } = view;
  const usage = spending && {
    span: query.span,
    total: spending.total.counts,
    calls: spending.total.points,
    cost: [],
  };
  return (
    <SubjectFigures
      view={view}
      usage={usage}
      bounds={bounds}
      log={callsScope(query, view)}
    >
      <Figure name={texts.members} value={formats.count(row.members.length)}>
        {groupPage.keyCount(row.keys.length)}
      </Figure>
    </SubjectFigures>
  );
}

/** The spend of a project by member, key, model or tag. */
export function ProjectSpend({ view, data: { query, spending, names, tagKeys } }: ProjectUseProps) {
  return (
    <SpendPanel
      {...{ view, query, spending, names, tagKeys }}
      lastCallMs={undefined}
      period={<PeriodMenu view={view} span={query.span} />}
    />
  );
}
