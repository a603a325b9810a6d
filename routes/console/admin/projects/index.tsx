import { page } from "fresh";
import { A, CreateLink } from "../../../../components/A.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { ProjectPanel } from "../../../../components/projects/ProjectPanel.tsx";
import { readQuery } from "../../../../lib/console/page/define_list.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { projectList, readProjectList } from "../../../../lib/console/projects/project_list.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/** All projects as `projectList` selects them. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const query = readQuery(projectList, searchParams);
    return page({ query, list: await readProjectList(state, query) });
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { projects: texts } = view.catalog;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="projects"
      action={<CreateLink href="/console/admin/projects/new">{texts.add}</CreateLink>}
      done={texts.done}
    >
      <p class="actions start">
        <A class="button" href="/console/admin/projects/organization">{texts.organization}</A>
        <A class="button" href="/console/admin/projects/tags">{texts.tags}</A>
      </p>
      <ProjectPanel view={view} query={data.query} page={data.list} />
    </ConsolePage>
  );
});
