import type { AccountView } from "../../lib/console/page/view.ts";
import type { UserPageData } from "../../lib/console/users/user_page.ts";
import { A } from "../A.tsx";
import { Status } from "../States.tsx";
import { Figure } from "../Figure.tsx";
import { SubjectFigures } from "../keys/SubjectFigures.tsx";
import { secondStepInWords } from "./UserPanel.tsx";

interface UserProps {
  readonly view: AccountView;
  readonly data: UserPageData;
}

/** The filters of the log for the calls of a user. */
export function userLog(id: string) {
  return { who: "everyone", user: id };
}

/** The state of a user, with the most frequent actions. */
export function UserHead({ view, data: { row, fixed } }: UserProps) {
  const { catalog: { users: texts, account, security: { admin } }, formats } = view;
  const { user, groupIds } = row;
  const path = `/console/admin/users/${user.id}`;
  const since = formats.day(user.createdAtMs);
  return (
    <div class="across object-head">
      <p>
        <Status tone={user.enabled ? "ok" : "off"}>
          {user.enabled ? texts.enabled : texts.disabled}
        </Status>
        <span class="soft">
          {formats.list([
            account[user.role],
            ...groupIds.length > 0 ? [`${texts.groups} ${groupIds.join(" ")}`] : [],
            texts.since(since),
            formats.pair(admin.column, secondStepInWords(row, view)),
          ])}
        </span>
      </p>
      {user.email !== view.user.email && (
        <form method="post" action={`${path}/view`}>
          <button class="button" type="submit">{texts.view}</button>
        </form>
      )}
      {row.keys > 0 && (
        <form method="post" action="/console/token/bulk">
          <input type="hidden" name="all" value="yes" />
          <input type="hidden" name="back" value={`/console/token?who=everyone&owner=${user.id}`} />
          <button class="button" type="submit" name="action" value="disable">
            {texts.disableKeys}
          </button>
        </form>
      )}
      {!fixed && user.enabled && <A class="button" href={`${path}/enabled`}>{texts.disable}</A>}
      {!fixed && !user.enabled && (
        <form method="post" action={`${path}/enabled`}>
          <button class="button" type="submit" name="enabled" value="true">{texts.enable}</button>
        </form>
      )}
    </div>
  );
}

/** The spend and the calls of a user. */
export function UserFigures({ view, data: { row, usage, budgets } }: UserProps) {
  const { catalog: { users: texts }, formats } = view;
  const { user: { id }, lastCallAtMs } = row;
  return (
    <SubjectFigures view={view} usage={usage} budgets={budgets} log={userLog(id)}>
      <Figure
        name={texts.lastCall}
        value={lastCallAtMs === undefined ? texts.never : formats.ago(lastCallAtMs)}
      />
    </SubjectFigures>
  );
}
