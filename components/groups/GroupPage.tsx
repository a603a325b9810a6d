import { isDefaultGroup, unpricedRule } from "../../lib/console/groups/group_form.ts";
import type { GroupPageData } from "../../lib/console/groups/group_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A, Onward } from "../A.tsx";
import { Fold, Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { SubjectCalls, SubjectCost, SubjectFigures } from "../keys/SubjectUsage.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { untranslated } from "../untranslated.ts";
import { LimitsInForce } from "../bounds/LimitsInForce.tsx";
import { Fact, Facts, Figure } from "../values.tsx";
import { GroupForm } from "./GroupForm.tsx";

interface GroupPageProps {
  readonly view: AccountView;
  readonly data: GroupPageData;
}

/** One group: state, spend and members, with its models and settings in folds. */
export function GroupPage({ view, data }: GroupPageProps) {
  const { catalog: { groupPage: texts } } = view;
  const { group, usage, bounds } = data;
  return (
    <ConsolePage view={view} title={group.id} place="groups" split>
      <Head view={view} data={data} />
      <Figures view={view} data={data} />
      <div class="stack">
        <SubjectCost
          view={view}
          title={texts.cost}
          usage={usage}
          others={texts.spend}
          log={logOf(group.id)}
        />
        <SubjectCalls view={view} usage={usage} log={logOf(group.id)} />
        <Models view={view} data={data} />
        {group.origin === "console" && <Settings view={view} data={data} />}
      </div>
      <aside class="stack">
        <LimitsInForce
          view={view}
          bounds={bounds}
          end={group.origin === "console" && view.opens(view.path, "POST") && (
            <A class="link" href="#budgets">{view.catalog.users.edit}</A>
          )}
        />
        <MembersPanel view={view} groupId={group.id} members={data.members} />
      </aside>
    </ConsolePage>
  );
}

/** The filters of the log for the calls in a group. */
function logOf(group: string) {
  return { who: "everyone", group };
}

function Head({ view: { catalog: { groups, groupPage }, formats }, data }: GroupPageProps) {
  const { group, use } = data;
  const isServed = (use?.serving ?? 0) > 0;
  const isOpen = group.forMembers || isDefaultGroup(group);
  return (
    <div class="across object-head">
      <p>
        <Status tone={isServed ? "ok" : "warn"}>
          {isServed ? groupPage.served(use?.serving ?? 0) : groupPage.unserved}
        </Status>
        <span class="soft">
          {formats.list([
            isOpen ? groups.everybody : groups.administrators,
            groupPage.multiplier(formats.count(group.priceRatio)),
          ])}
          {group.origin === "config" && ` · ${groups.declaredText}`}
        </span>
      </p>
      {group.origin === "console" && !isDefaultGroup(group) && (
        <A class="button" href={`/console/admin/groups/${group.id}/delete`}>{groups.delete}</A>
      )}
    </div>
  );
}

function Figures({ view, data: { group, usage, use, members, bounds } }: GroupPageProps) {
  const { catalog: { groups, groupPage }, formats } = view;
  return (
    <SubjectFigures view={view} usage={usage} bounds={bounds} log={logOf(group.id)}>
      <Figure name={groups.keys} value={formats.count(use?.keys.length ?? 0)}>
        {groupPage.users(members.length)}
      </Figure>
    </SubjectFigures>
  );
}

/** The models and formats of the group, with the link to their prices in it. */
function Models({ view, data: { group } }: GroupPageProps) {
  const { groups: texts, units } = view.catalog;
  const models = group.models.map((one) => one === "*" ? texts.all : one).join(", ");
  const formats = group.formats.map((one) => one === "*" ? texts.all : units.formats[one]);
  return (
    <Fold id="models" title={texts.models} value={<span {...untranslated}>{models}</span>}>
      <Facts class="body">
        <Fact name={texts.models} {...untranslated}>{models}</Fact>
        <Fact name={texts.formats}>{formats.join(", ")}</Fact>
        <Fact name={texts.unpriced}>{texts.unpricedRule[unpricedRule(group)]}</Fact>
      </Facts>
      <p class="body">
        <A
          class="link"
          href={`/console/admin/groups?${new URLSearchParams({ q: group.id, models: "1" })}#matrix`}
        >
          {texts.showMatrix}
        </A>
      </p>
    </Fold>
  );
}

function Settings({ view, data: { group, values, faults } }: GroupPageProps) {
  const { catalog: { groupPage: texts, groups }, formats } = view;
  const isOpen = Object.keys(faults).length > 0;
  const rule = formats.pair(groups.unpriced, groups.unpricedRule[unpricedRule(group)]);
  return (
    <Fold id="settings" title={texts.settings} value={rule} open={isOpen}>
      <GroupForm view={view} values={values} faults={faults} isNew={false} />
    </Fold>
  );
}

const shownMax = 8;

/** The users with keys in a group, those with the most keys first. */
function MembersPanel(
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
      end={members.length > 0 && <Onward href={`/console/token?${keys}`}>{groups.keys}</Onward>}
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
