import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { WhatBounds } from "../../../../components/bounds/WhatBounds.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import {
  ProjectCharts,
  ProjectFigures,
  ProjectHead,
} from "../../../../components/projects/ProjectHead.tsx";
import { ProjectKeys, ProjectMembers } from "../../../../components/projects/ProjectPeople.tsx";
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

export default accountPage<typeof handler>(({ data: { row, usage, bounds }, view }) => {
  const { projects: texts } = view.catalog;
  const { id } = row.project;
  const path = `/console/projects/${id}`;
  return (
    <ConsolePage
      view={view}
      title={id}
      place="account"
      up={{ href: "/console/projects", text: texts.own }}
      done={texts.done}
    >
      <ProjectHead view={view} row={row} />
      <ProjectFigures view={view} row={row} usage={usage} bounds={bounds} />
      <WhatBounds view={view} bounds={bounds} />
      <ProjectCharts view={view} row={row} usage={usage} />
      <ProjectMembers
        view={view}
        row={row}
        action={(member) => (
          <A
            class="button"
            href={`${path}/member?account=${member.id}`}
            aria-label={texts.editLabel(member.email)}
          >
            {texts.edit}
          </A>
        )}
      />
      <ProjectKeys view={view} row={row} />
    </ConsolePage>
  );
});
