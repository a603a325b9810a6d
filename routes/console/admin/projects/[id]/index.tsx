import { A } from "../../../../../components/A.tsx";
import { LimitsInForce } from "../../../../../components/bounds/LimitsInForce.tsx";
import { Fold } from "../../../../../components/Panel.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { ProjectForm } from "../../../../../components/projects/ProjectForm.tsx";
import {
  ProjectFigures,
  ProjectHead,
  ProjectSpend,
} from "../../../../../components/projects/ProjectHead.tsx";
import {
  AddMember,
  ProjectPeople,
  RemoveMember,
} from "../../../../../components/projects/ProjectPeople.tsx";
import { changeProject } from "../../../../../lib/admin/projects.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm, listFormBytesMax } from "../../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../../lib/console/page/view.ts";
import { projectOf, readProjectForm } from "../../../../../lib/console/projects/project_form.ts";
import {
  projectAt,
  type ProjectPageData,
  projectPageData,
} from "../../../../../lib/console/projects/project_page.ts";
import { listUsers } from "../../../../../lib/store/users/mod.ts";

/** One project: spend, members, keys, and a form to change it. */
export const handler = defineForm<ProjectPageData>({
  load: async ({ params, state, url }) =>
    await projectPageData(await projectAt(params.id, state), { state, url }),
  bytesMax: listFormBytesMax,

  async submit(ctx, form, { again }) {
    const { params, state } = ctx;
    const { services: { store }, nowMs } = state;
    const current = await projectAt(params.id, state);
    const { id } = current;
    const values = { ...readProjectForm(form), id };
    const result = projectOf(values, { current, users: await listUsers(store), nowMs });
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    await changeProject(ctx, id, () => result.project);
    return seeOther(`/console/admin/projects/${id}?done=saved`);
  },
});

export default accountPage<typeof handler>(({ data, url, view }) => {
  const { projects: texts } = view.catalog;
  const { row, people, bounds, values, faults } = data;
  const unknown = url.searchParams.get("unknown") ?? undefined;
  const { id } = row.project;
  const path = `/console/admin/projects/${id}`;
  return (
    <ConsolePage view={view} title={id} place="projects" split done={texts.done}>
      <ProjectHead view={view} row={row} isManaged />
      <ProjectFigures view={view} data={data} />
      <aside class="stack">
        <LimitsInForce
          view={view}
          bounds={bounds}
          end={view.opens(path, "POST") && (
            <A class="link" href="#budgets">{view.catalog.users.edit}</A>
          )}
        />
      </aside>
      <div class="stack">
        <ProjectSpend view={view} data={data} />
        <ProjectPeople
          view={view}
          projectId={id}
          people={people}
          hrefs={{
            member: (member) => `/console/admin/users/${member.id}`,
            key: (key) => `/console/token/${key}`,
          }}
          action={(member) => <RemoveMember view={view} path={path} member={member} />}
          end={<AddMember view={view} path={path} entered={unknown} />}
        />
        <Fold
          id="settings"
          title={texts.settings}
          value={texts.settingsText}
          open={Object.keys(faults).length > 0}
        >
          <ProjectForm view={view} values={values} faults={faults} isNew={false} />
        </Fold>
      </div>
    </ConsolePage>
  );
});
