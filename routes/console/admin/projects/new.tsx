import type { ComponentProps } from "preact";
import { Panel } from "../../../../components/Panel.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { ProjectForm } from "../../../../components/projects/ProjectForm.tsx";
import { addProject } from "../../../../lib/admin/projects.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { defineForm, listFormBytesMax } from "../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import {
  projectOf,
  projectValues,
  readProjectForm,
} from "../../../../lib/console/projects/project_form.ts";
import { listUsers } from "../../../../lib/store/users/mod.ts";

type NewProjectData = Pick<ComponentProps<typeof ProjectForm>, "values" | "faults">;

/** Creates a project. */
export const handler = defineForm<NewProjectData>({
  load: () => ({ values: projectValues(undefined, []), faults: {} }),
  bytesMax: listFormBytesMax,

  async submit(ctx, form, { again }) {
    const { services: { store }, nowMs } = ctx.state;
    const values = readProjectForm(form);
    const result = projectOf(values, { users: await listUsers(store), nowMs });
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    const { project } = result;
    const created = await addProject(ctx, project);
    return created === "taken"
      ? await again({ values, faults: { id: "taken" } })
      : seeOther(`/console/admin/projects/${project.id}?done=created`);
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { projects: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="projects">
      <Panel id="project" title={texts.add}>
        <ProjectForm view={view} values={data.values} faults={data.faults} isNew />
      </Panel>
    </ConsolePage>
  );
});
