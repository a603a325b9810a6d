import { page } from "fresh";
import { CreateLink } from "../../../../components/A.tsx";
import { GroupMatrix, GroupPanel } from "../../../../components/groups/GroupPanel.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { groupList, readGroupList } from "../../../../lib/console/groups/group_list.ts";
import { readQuery } from "../../../../lib/console/page/define_list.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/** All groups as `groupList` selects them, and on demand the price of each model in them. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    if (searchParams.has("done")) await state.services.directory.refresh(); // shows the change
    const query = readQuery(groupList, searchParams);
    const { page: list, groups, matrix } = await readGroupList(state, query);
    return page({ query, list, groups, matrix });
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { groups: texts } = view.catalog;
  const { query, list, groups, matrix } = data;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="groups"
      action={<CreateLink href="/console/admin/groups/new">{texts.add}</CreateLink>}
      done={texts.done}
    >
      <GroupPanel view={view} query={query} page={list} />
      {matrix && <GroupMatrix view={view} query={query} groups={groups} page={matrix} />}
    </ConsolePage>
  );
});
