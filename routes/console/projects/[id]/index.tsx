import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { LimitsInForce } from "../../../../components/bounds/LimitsInForce.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import {
  ProjectFigures,
  ProjectHead,
  ProjectSpend,
} from "../../../../components/projects/ProjectHead.tsx";
import { ProjectPeople } from "../../../../components/projects/ProjectPeople.tsx";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { managedProjectAt, projectUse } from "../../../../lib/console/projects/project_page.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/** One project for its administrators: spending, members and keys. */
export const handler = defineForAccount.handlers({
  async GET({ params, state, url }) {
    const project = await managedProjectAt(params.id, state);
    return page(await projectUse(project, { state, url }));
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { projects: texts } = view.catalog;
  const { row, people, bounds } = data;
  const { id } = row.project;
  const path = `/console/projects/${id}`;
  return (
    <ConsolePage
      view={view}
      title={id}
      place="account"
      up={{ href: "/console/projects", text: texts.own }}
      done={texts.done}
      split
    >
      <ProjectHead view={view} row={row} />
      <ProjectFigures view={view} data={data} />
      <aside class="stack">
        <LimitsInForce view={view} bounds={bounds} />
      </aside>
      <div class="stack">
        <ProjectSpend view={view} data={data} />
        <ProjectPeople
          view={view}
          projectId={id}
          people={people}
          action={(member) => (
            <A
              class="button small"
              href={`${path}/member?account=${member.id}`}
              aria-label={texts.editLabel(member.email)}
            >
              {texts.edit}
            </A>
          )}
        />
      </div>
    </ConsolePage>
  );
});
