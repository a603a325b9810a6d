import { page } from "fresh";
import { CreateLink } from "../../../../components/A.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { InvitationPanel, UserPanel } from "../../../../components/users/UserPanel.tsx";
import { readQuery } from "../../../../lib/console/page/define_list.ts";
import { tryLoad } from "../../../../lib/console/page/reading.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import {
  openInvitations,
  readUserList,
  userList,
} from "../../../../lib/console/users/user_list.ts";

/** All users, as `userList` selects them. */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    const query = readQuery(userList, url.searchParams);
    const [list, invitations] = await Promise.all([
      tryLoad(readUserList(state, query)),
      tryLoad(openInvitations(state)),
    ]);
    return page({ query, list, invitations: invitations ?? [] });
  },
});

export default accountPage<typeof handler>(({ data, state, view }) => {
  const { users: texts } = view.catalog;
  const { query, list, invitations } = data;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="users"
      action={<CreateLink href="/console/admin/users/invite">{texts.invite}</CreateLink>}
      done={texts.done}
    >
      <UserPanel
        view={view}
        query={query}
        page={list}
        groupIds={state.services.directory.groups().map(({ id }) => id)}
        projectIds={state.services.directory.projects().map(({ id }) => id)}
      />
      <InvitationPanel view={view} invitations={invitations} />
    </ConsolePage>
  );
});
