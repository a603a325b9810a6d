import type { GroupPageData } from "../../lib/console/groups/group_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";

const shownMax = 8;

/** The users with keys in a group, those with the most keys first. */
export function MembersPanel(
  { view, groupId, members }: {
    view: AccountView;
    groupId: string;
    members: GroupPageData["members"];
  },
) {
  const { catalog: { groupPage: texts, groups } } = view;
  const keys = new URLSearchParams({ who: "everyone", group: groupId });
  const rest = members.length - shownMax;
  return (
    <Panel
      id="members"
      title={texts.members}
      end={members.length > 0 && (
        <A class="link" href={`/console/token?${keys}`}>
          {groups.keys}
          <Icon name="arrow-right" small />
        </A>
      )}
    >
      {members.length === 0 && <p class="body soft">{texts.noMembers}</p>}
      <ul class="body latest pairs">
        {members.slice(0, shownMax).map(({ accountId, owner, keyCount }) => (
          <li key={accountId}>
            <A href={`/console/admin/users/${accountId}`} {...untranslated}>{owner}</A>
            <b>{texts.keyCount(keyCount)}</b>
          </li>
        ))}
        {rest > 0 && <li class="soft">{texts.moreUsers(rest)}</li>}
      </ul>
    </Panel>
  );
}
